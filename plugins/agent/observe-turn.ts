// Passes every input to a turn's loop to the observers of the hook `turn.observe`, in order and by reference.
import type { Emitter, Logger } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type { HookAnswer, TaskStart, Turn, TurnObserver, TurnPorts } from 'agent-harness/plugins/agent';
import type { ModelCall } from 'agent-harness/plugins/models';

/** Wraps the ports of a turn. Observers get each result before the loop does. */
export function observePorts(turn: Turn, ports: TurnPorts, emitter: Pick<Emitter, 'call'>, log: Pick<Logger, 'warn'>): TurnPorts {
  const observe = observersOf(turn, ports, emitter, log);
  const counts = new Map<string, number>();
  let tracks = 0;

  function keyOf(lane: number, kind: string, name: string): string {
    const of = `${lane}/${kind}/${name}`;
    const count = counts.get(of) ?? 0;
    counts.set(of, count + 1);
    return `${of}/${count}`;
  }

  function portsOf(lane: number): TurnPorts {
    const { clock, storage, models, tools, gate, eventLog, artifacts } = ports;

    /** Observes results of synchronous operations; the first argument names the operation. */
    function atOnce<A extends readonly unknown[], R>(kind: string, answer: (...args: A) => R): (...args: A) => R {
      return (...args) => {
        const value = answer(...args);
        observe({ on: 'value', key: [lane, kind, ...args.slice(0, 1)].join('/'), args, value });
        return value;
      };
    }

    function watch<R>(key: string, args: readonly unknown[], work: Promise<R>, answers?: readonly HookAnswer[]): Promise<R> {
      const by = answers === undefined ? {} : { answers };
      work.then(
        (value) => observe({ on: 'answer', key, args, value, ...by }),
        (fault: unknown) => observe({ on: 'answer', key, args, fault, ...by }),
      );
      return work;
    }

    function later<A extends readonly unknown[], R>(kind: string, answer: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
      return (...args) => watch(keyOf(lane, kind, ''), args, answer(...args));
    }

    return {
      ...ports,
      emitter: {
        emit: (event, payload) => ports.emitter.emit(event, payload),
        call(hook, args, options) {
          const answers: HookAnswer[] = [];
          const onAnswer = (plugin: string, answer: unknown): void => void answers.push({ plugin, answer });
          return watch(keyOf(lane, 'hook', hook), [hook, ...args], ports.emitter.call(hook, args, { ...options, onAnswer }), answers);
        },
      },
      clock: { now: atOnce('now', () => clock.now()), elapsed: atOnce('elapsed', () => clock.elapsed()) },
      storage: { createId: atOnce('id', (prefix) => storage.createId(prefix)) },
      models: {
        route: atOnce('route', () => models.route()),
        routeNow: later('route', (model) => models.routeNow(model)),
        takesAudio: later('takesAudio', (model) => models.takesAudio(model)),
        stream(request, call, signal) {
          const key = keyOf(lane, 'stream', '');
          observe({ on: 'request', key, request });
          return watch(key, [], models.stream(request, observeReply(key, call, observe), signal));
        },
      },
      tools: {
        ...tools,
        find: atOnce('find', (name) => tools.find(name)),
        check: atOnce('check', (name, argsText) => tools.check(name, argsText)),
        run(grant, running) {
          const key = keyOf(lane, 'run', grant.callId);
          const progress = (note: string): void => {
            observe({ on: 'note', key, note });
            running.progress(note);
          };
          return watch(key, [], tools.run(grant, { ...running, progress }));
        },
      },
      gate: { authorize: (call) => watch(keyOf(lane, 'gate', call.callId), [call], gate.authorize(call)) },
      eventLog: { flushed: later('flush', (chatId) => eventLog.flushed(chatId)) },
      artifacts: { distrust: later('distrust', (chatId, id) => artifacts.distrust(chatId, id)) },
      keepImages: later('images', (chatId, images) => ports.keepImages(chatId, images)),
      forTask(inner: Turn, task: TaskStart) {
        tracks++;
        observe({ on: 'task', lane: tracks, task, turn: inner });
        return portsOf(tracks);
      },
    };
  }

  return portsOf(0);
}

/**
 * Calls the hook once per turn, because each piece of a reply is an observation and may cost only one call per observer. An observer that fails receives no
 * further observations of the turn.
 */
function observersOf(turn: Turn, { config }: TurnPorts, emitter: Pick<Emitter, 'call'>, log: Pick<Logger, 'warn'>): TurnObserver {
  const owners = new Map<TurnObserver, string>();
  let observers: readonly TurnObserver[] = [];
  // The taps are synchronous, so all results are complete when the call returns.
  const onAnswer = (plugin: string, answer: unknown): void => {
    observers = answer as readonly TurnObserver[];
    for (const observer of observers) if (!owners.has(observer)) owners.set(observer, plugin);
  };
  void emitter.call('turn.observe', [observers, turn, config], { onAnswer }).catch(() => undefined);
  return (observation) => {
    for (const observer of observers) {
      try {
        observer(observation);
      } catch (fault) {
        observers = observers.filter((one) => one !== observer);
        log.warn(`the observer of '${owners.get(observer)}' failed and receives no further observations of this turn: ${messageOf(fault)}`);
      }
    }
  };
}

function observeReply(key: string, call: ModelCall, observe: TurnObserver): ModelCall {
  return {
    text(text) {
      observe({ on: 'piece', key, channel: 'text', index: 0, text });
      call.text(text);
    },
    reasoning(text) {
      observe({ on: 'piece', key, channel: 'reasoning', index: 0, text });
      call.reasoning(text);
    },
    toolCall(index, id, name) {
      observe({ on: 'call', key, index, id, name });
      call.toolCall(index, id, name);
    },
    toolArgs(index, text) {
      observe({ on: 'piece', key, channel: 'args', index, text });
      call.toolArgs(index, text);
    },
    retry(notice) {
      observe({ on: 'retry', key, notice });
      call.retry(notice);
    },
    notice(line) {
      observe({ on: 'notice', key, line });
      call.notice?.(line);
    },
  };
}
