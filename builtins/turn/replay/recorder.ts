// Looks on at a turn and remembers what its loop is told: by reference, so that nothing is copied or serialised while it runs.
import { codeOf, messageOf } from 'agent-harness/lib/errors';
import type { LoopConfig, TaskStart, Turn, TurnPorts } from 'agent-harness/plugins/agent';
import type { ModelCall, ModelMessage, ModelReply, ModelRequest } from 'agent-harness/plugins/models';
import type { CheckedCall, Grant, RegisteredTool, ToolOutcome } from 'agent-harness/plugins/tools';
import type { EventFields } from 'agent-harness/transcript';
import type { EndedReply, Entry, Fault, SeenGrant } from './record-types.ts';

/** Pieces as they came; joined when the turn is over. */
export interface OpenPieces {
  readonly on: 'pieces';
  readonly key: string;
  readonly channel: 'text' | 'reasoning' | 'args';
  readonly index: number;
  readonly pieces: string[];
}

export interface SeenAsk {
  readonly key: string;
  readonly request: ModelRequest;
  /** The conversation, which goes on growing, and how long it was then. */
  readonly conversation: readonly ModelMessage[];
  readonly known: number;
}

export interface SeenCheck {
  readonly argsText: string;
  readonly checked: CheckedCall;
}

export type SeenEntry = Exclude<Entry, { on: 'pieces' }> | OpenPieces;

export interface Recording {
  readonly turn: Turn;
  readonly config: LoopConfig;
  readonly log: readonly SeenEntry[];
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  readonly asks: readonly SeenAsk[];
  readonly tools: ReadonlyMap<string, RegisteredTool | undefined>;
  /** It came to more than the limit, and nothing of it is kept. */
  readonly isTooLarge: boolean;
  readonly ports: TurnPorts;
  join(event: EventFields['message_accepted']): void;
}

/** @param maxBytes of what is remembered, roughly: characters of what streams in and of what tools answer */
export function createRecording(turn: Turn, ports: TurnPorts, maxBytes: number): Recording {
  let log: SeenEntry[] = [];
  let values = new Map<string, unknown[]>();
  let asks: SeenAsk[] = [];
  const tools = new Map<string, RegisteredTool | undefined>();
  const counts = new Map<string, number>();
  let left = maxBytes;
  const { maxRounds, maxTokens, lengthResumes, sessionMode, effort = '' } = ports.config;
  let lanes = 0;

  function keyOf(lane: number, kind: string, name = ''): string {
    const of = `${lane}/${kind}/${name}`;
    const count = counts.get(of) ?? 0;
    counts.set(of, count + 1);
    return `${of}/${count}`;
  }

  function push(entry: SeenEntry, size = 0): void {
    if (pay(size + 32)) log.push(entry);
  }

  function take(key: string, channel: OpenPieces['channel'], index: number, piece: string): void {
    const last = log.at(-1);
    // Whatever came between stands between.
    if (last?.on !== 'pieces' || last.key !== key || last.channel !== channel || last.index !== index)
      return push({ on: 'pieces', key, channel, index, pieces: [piece] }, piece.length);
    if (pay(piece.length + 4)) last.pieces.push(piece);
  }

  /** Answers whether there is room for it; the first time that there is none, all goes. */
  function pay(size: number): boolean {
    if (left < 0) return false;
    left -= size;
    if (left >= 0) return true;
    log = [];
    values = new Map();
    asks = [];
    return false;
  }

  function keep<T>(lane: number, kind: string, value: T): T {
    const key = `${lane}/${kind}`;
    const known = values.get(key);
    if (known) known.push(value);
    else if (left >= 0) values.set(key, [value]);
    return value;
  }

  async function watch<T>(key: string, work: Promise<T>, shown: (value: T) => unknown = (value) => value, size = (_: T): number => 0): Promise<T> {
    try {
      const value = await work;
      push({ on: 'answer', key, value: shown(value) }, size(value));
      return value;
    } catch (thrown) {
      push({ on: 'answer', key, fault: faultOf(thrown) });
      throw thrown;
    }
  }

  function hear(lane: number, { signal }: Turn): void {
    signal.addEventListener('abort', () => push({ on: 'abort', lane, fault: faultOf(signal.reason) }), { once: true });
  }

  function portsOf(lane: number): TurnPorts {
    let conversation: readonly ModelMessage[] = [];
    let known = 0;
    const see = (name: string, tool: RegisteredTool | undefined): RegisteredTool | undefined => {
      if (!tools.has(name)) tools.set(name, tool);
      return tool;
    };
    return {
      ...ports,
      emitter: {
        emit: (event, payload) => ports.emitter.emit(event, payload),
        call(hook, args, options) {
          const key = keyOf(lane, 'hook', hook);
          const [first] = args as readonly unknown[];
          if (hook === 'prompt.build') {
            conversation = (first as { readonly messages: readonly ModelMessage[] }).messages;
            known = conversation.length;
          }
          const isRequest = hook === 'prompt.build' || hook === 'model.request';
          // What it passes on unchanged, and what makes a request, stands elsewhere already.
          const shown = (answer: unknown): unknown => (isRequest || answer === first ? undefined : answer);
          return watch(key, ports.emitter.call(hook, args, options) as Promise<unknown>, shown) as never;
        },
      },
      clock: { now: () => keep(lane, 'now', ports.clock.now()), elapsed: () => keep(lane, 'elapsed', ports.clock.elapsed()) },
      storage: { createId: (prefix) => keep(lane, `id/${prefix}`, ports.storage.createId(prefix)) },
      models: {
        // Never more than the name: the rest is where the key is.
        route: () => {
          const route = ports.models.route();
          keep(lane, 'route', route.model);
          return route;
        },
        routeNow: (model) => watch(keyOf(lane, 'route'), ports.models.routeNow(model), (route) => route.model),
        takesAudio: (model) => watch(keyOf(lane, 'audio'), ports.models.takesAudio(model)),
        stream(request, call, signal) {
          const key = keyOf(lane, 'stream');
          if (left >= 0) asks.push({ key, request, conversation, known });
          return watch(key, ports.models.stream(request, listen(key, call, { take, push }), signal), endOf);
        },
      },
      tools: {
        ...ports.tools,
        find: (name) => see(name, ports.tools.find(name)),
        check(name, argsText) {
          const checked = ports.tools.check(name, argsText);
          if (checked.ok) see(checked.tool.name, checked.tool);
          keep(lane, `check/${name}`, { argsText, checked } satisfies SeenCheck);
          return checked;
        },
        run(grant, running) {
          const key = keyOf(lane, 'run', grant.callId);
          const progress = (note: string): void => {
            push({ on: 'note', key, note }, note.length);
            running.progress(note);
          };
          return watch(key, ports.tools.run(grant, { ...running, progress }), undefined, sizeOf);
        },
      },
      gate: {
        authorize: (call) => watch(keyOf(lane, 'gate', call.callId), ports.gate.authorize(call), (answer) => ('deny' in answer ? answer : grantOf(answer))),
      },
      eventLog: { flushed: (chatId) => watch(keyOf(lane, 'flush'), ports.eventLog.flushed(chatId)) },
      artifacts: { distrust: (chatId, id) => watch(keyOf(lane, 'distrust'), ports.artifacts.distrust(chatId, id)) },
      keepImages: (chatId, images) => watch(keyOf(lane, 'images'), ports.keepImages(chatId, images)),
      forTask(inner: Turn, task: TaskStart) {
        lanes++;
        push({ on: 'task', lane: lanes, task }, task.goal.length);
        hear(lanes, inner);
        return portsOf(lanes);
      },
    };
  }

  hear(0, turn);
  return {
    turn,
    config: { maxRounds, maxTokens, lengthResumes, sessionMode, effort },
    tools,
    ports: portsOf(0),
    get log() {
      return log;
    },
    get values() {
      return values;
    },
    get asks() {
      return asks;
    },
    get isTooLarge() {
      return left < 0;
    },
    join: (event) => push({ on: 'join', event }, event.text.length),
  };
}

interface Heard {
  take(key: string, channel: OpenPieces['channel'], index: number, piece: string): void;
  push(entry: SeenEntry, size: number): void;
}

function listen(key: string, call: ModelCall, { take, push }: Heard): ModelCall {
  return {
    text(delta) {
      take(key, 'text', 0, delta);
      call.text(delta);
    },
    reasoning(delta) {
      take(key, 'reasoning', 0, delta);
      call.reasoning(delta);
    },
    toolCall(index, id, name) {
      push({ on: 'call', key, index, id, name }, name.length);
      call.toolCall(index, id, name);
    },
    toolArgs(index, delta) {
      take(key, 'args', index, delta);
      call.toolArgs(index, delta);
    },
    retry(notice) {
      const { attempt, of, reason, delayMs } = notice;
      push({ on: 'retry', key, notice: { attempt, of, reason, delayMs } }, reason.length);
      call.retry(notice);
    },
    notice(line) {
      push({ on: 'notice', key, line }, line.length);
      call.notice?.(line);
    },
  };
}

/** Text and calls are those of the pieces. */
function endOf({ finish, usage, model, text, toolCalls, providerData }: ModelReply): EndedReply {
  return { finish, usage, model, text, toolCalls, ...(providerData ? { providerData } : {}) };
}

function grantOf({ tool, args, editedBy }: Grant): SeenGrant {
  return { tool: tool.name, args, ...(editedBy === undefined ? {} : { editedBy }) };
}

function sizeOf(outcome: ToolOutcome): number {
  const pictures = outcome.ok ? (outcome.images ?? []).reduce((sum, { base64 }) => sum + base64.length, 0) : 0;
  return pictures + (outcome.ok ? outcome.output.length : outcome.error.length);
}

export function faultOf(thrown: unknown): Fault {
  const code = codeOf(thrown);
  const details = typeof thrown === 'object' && thrown !== null && 'details' in thrown ? thrown.details : undefined;
  return { message: messageOf(thrown), ...(code === undefined ? {} : { code }), ...(details === undefined ? {} : { details }) };
}
