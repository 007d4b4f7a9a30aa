// Answers the requests of a replayed turn with the recorded results, in the recorded order.
import { yieldToEventLoop } from '#lib/event-loop';
import { jsonOf } from '#lib/values';
import type { Denial, StagedPorts, StagedTurn, ToolCall, TurnPorts } from 'agent-harness/plugins/agent';
import type { ModelCall, ModelReply, ModelToolCall } from 'agent-harness/plugins/models';
import type { CheckedCall, Grant, RegisteredTool, ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import type { SaidEvent } from './contract.ts';
import { errorFrom, noAnswer, RecordedAnswers } from './recorded-answers.ts';
import type { Entry, Pieces, ToolFacts, TurnRecord } from './record-schema.ts';
import type { Checked, EndedReply, SeenGrant } from './record-types.ts';

/** Output of a call that has no result in the record. */
const notRunOutput = 'Not run: nothing runs when a turn is replayed, and the record has no result of this call.';

/** Waterfall hooks, which return their input during a replay; other hooks return nothing. */
const passesOn: ReadonlySet<string> = new Set(['prompt.build', 'model.request', 'tool.after', 'turn.finalize']);

export interface Player {
  ports(): StagedPorts;
  /** Replays the turn. Resolves when the turn has ended. */
  play(turn: StagedTurn): Promise<void>;
  readonly events: readonly SaidEvent[];
}

export function createPlayer(record: TurnRecord): Player {
  const events: SaidEvent[] = [];
  const counts = new Map<string, number>();
  const values = new Map(Object.entries(record.values).map(([key, list]) => [key, list.values()] as const));
  const answers = new RecordedAnswers(record.log);
  const streams = new Map<string, { readonly call: ModelCall; text: string; readonly calls: { id: string; name: string; args: string }[] }>();
  const notes = new Map<string, (note: string) => void>();
  const lanes = new Map<number, AbortController>();
  const chosen = {
    ...(record.model === undefined ? {} : { model: record.model }),
    ...(record.effort === undefined ? {} : { effort: record.effort }),
  };
  let outside = 0;
  let made = 0;
  let turn: StagedTurn | undefined;
  let isOver = false;

  function keyOf(lane: number, kind: string, name = ''): string {
    const of = `${lane}/${kind}/${name}`;
    const count = counts.get(of) ?? 0;
    counts.set(of, count + 1);
    return `${of}/${count}`;
  }

  function next<T>(lane: number, kind: string, otherwise: () => T): T {
    const step = values.get(`${lane}/${kind}`)?.next();
    return step && !step.done ? (step.value as T) : otherwise();
  }

  async function stream(lane: number, call: ModelCall): Promise<ModelReply> {
    const key = keyOf(lane, 'stream');
    if (!answers.has(key) && !hasPieces(record, key)) throw noAnswer();
    const open = { call, text: '', calls: [] };
    streams.set(key, open);
    const ended = (await answers.of(key)) as EndedReply;
    const toolCalls: ModelToolCall[] = streams
      .get(key)!
      .calls.filter(Boolean)
      .map(({ id, name, args }) => ({ id, name, argsText: args || '{}' }));
    streams.delete(key);
    return { text: open.text, toolCalls, ...ended };
  }

  function checkOf(lane: number, name: string, argsText: string): CheckedCall {
    const seen =
      next<Checked | undefined>(lane, `check/${name}`, () => undefined) ??
      record.values[`${lane}/check/${name}`]?.find((one) => (one as Checked).argsText === argsText);
    const checked = seen as Checked | undefined;
    if (checked?.argsText !== argsText) return { ok: false, error: notRunOutput };
    if ('error' in checked) return { ok: false, error: checked.error, ...(checked.hint === undefined ? {} : { hint: checked.hint }) };
    const args = checked.args ?? ((jsonOf(argsText) ?? {}) as Record<string, unknown>);
    return { ok: true, tool: toolOf(checked.tool, record.tools[checked.tool], checked.subject), args: { ...args } };
  }

  function run(lane: number, { callId }: Grant, progress: (note: string) => void): Promise<ToolOutcome> {
    const key = keyOf(lane, 'run', callId);
    notes.set(key, progress);
    return answers.of(key) as Promise<ToolOutcome>;
  }

  async function authorize(lane: number, call: ToolCall): Promise<Grant | Denial> {
    const { callId, tool, args, turn: of } = call;
    const key = keyOf(lane, 'gate', callId);
    const { chatId, turnId, workspaceRoot } = of;
    const granted = { callId, tool, args, chatId, turnId, workspaceRoot };
    const seen = (await answers.of(key)) as SeenGrant | { readonly deny: string };
    if ('deny' in seen) return seen;
    const isSame = seen.tool === tool.name;
    return { ...granted, ...seen, tool: isSame ? tool : toolOf(seen.tool, record.tools[seen.tool]) } as unknown as Grant;
  }

  function portsOf(lane: number): StagedPorts {
    return {
      ...(record.config ? { config: record.config } : {}),
      emitter: {
        emit: (kind, event) => void (lane === 0 && events.push({ kind, ...(event as object) })),
        async call(hook: string, [first]: readonly unknown[]) {
          return (await answers.of(keyOf(lane, 'hook', hook))) ?? (passesOn.has(hook) ? first : undefined);
        },
      } as TurnPorts['emitter'],
      clock: { now: () => next(lane, 'now', () => record.startedAt), elapsed: () => next(lane, 'elapsed', () => 0) },
      storage: { createId: (prefix) => next(lane, `id/${prefix}`, () => `${prefix}_replayed${++made}`) },
      models: {
        route: () => ({ wire: 'demo', baseURL: '', model: next(lane, 'route', () => record.model ?? '') }),
        routeNow: async () => ({ wire: 'demo', baseURL: '', model: (await answers.of(keyOf(lane, 'route'))) as string }),
        takesAudio: async () => (await answers.of(keyOf(lane, 'audio'))) as boolean,
        stream: (_, call) => stream(lane, call),
      },
      tools: {
        ...noTools,
        find: (name) => (Object.hasOwn(record.tools, name) && record.tools[name] ? toolOf(name, record.tools[name]) : undefined),
        visible: () => ({ specs: [], hiddenFamilies: [] }),
        check: (name, argsText) => checkOf(lane, name, argsText),
        run: (grant, { progress }) => run(lane, grant, progress),
      },
      gate: { authorize: (call) => authorize(lane, call) },
      eventLog: { flushed: async () => void (await answers.of(keyOf(lane, 'flush'))) },
      artifacts: { distrust: async () => void (await answers.of(keyOf(lane, 'distrust'))) },
      keepImages: async () => ((await answers.of(keyOf(lane, 'images'))) as Images | undefined) ?? { kept: [], shown: [] },
      // The record contains the model and effort chosen for the chat.
      chatOf: () => Promise.resolve(chosen),
      forTask: () => portsOf([...lanes.keys()].at(-1) ?? 0) as TurnPorts,
    };
  }

  async function join(event: Parameters<StagedTurn['join']>[0]): Promise<void> {
    outside++;
    try {
      await turn!.join(event);
    } finally {
      outside--;
    }
  }

  function deliver(entry: Exclude<Entry, { on: 'answer' }>): void {
    if (entry.on === 'join') return void join(entry.event);
    if (entry.on === 'abort') {
      const reason = errorFrom(entry.fault);
      return entry.lane === 0 ? turn!.abort(reason) : lanes.get(entry.lane)?.abort(reason);
    }
    if (entry.on === 'task') {
      const abort = new AbortController();
      lanes.set(entry.lane, abort);
      turn!.runTask(entry.task, portsOf(0), abort.signal).catch(() => undefined); // the record contains the task's result
      return;
    }
    if (entry.on === 'note') return notes.get(entry.key)?.(entry.note);
    const open = streams.get(entry.key);
    if (!open) return;
    const { call } = open;
    if (entry.on === 'retry') {
      open.text = '';
      open.calls.length = 0;
      call.retry(entry.notice);
    } else if (entry.on === 'notice') call.notice?.(entry.line);
    else if (entry.on === 'call') {
      open.calls[entry.index] = { id: entry.id, name: entry.name, args: '' };
      call.toolCall(entry.index, entry.id, entry.name);
    } else {
      if (entry.channel === 'text') open.text += entry.text;
      const written = open.calls[entry.index];
      if (entry.channel === 'args' && written) written.args += entry.text;
      for (const piece of piecesOf(entry)) {
        if (entry.channel === 'args') call.toolArgs(entry.index, piece);
        else call[entry.channel](piece);
      }
    }
  }

  /** Waits until the turn makes no more progress without further input. */
  async function calm(): Promise<void> {
    do await yieldToEventLoop();
    while (outside > 0 && !isOver);
    await yieldToEventLoop();
  }

  return {
    ports: () => portsOf(0),
    events,
    async play(staged) {
      turn = staged;
      void staged.done.then(() => (isOver = true));
      let isAborted = false;
      await calm();
      for (const [at, entry] of record.log.entries()) {
        if (isOver) break;
        answers.reach(at);
        if (entry.on !== 'answer') deliver(entry);
        isAborted ||= entry.on === 'abort' && entry.lane === 0;
        await calm();
      }
      // Pending requests are never answered, unless an abort of the turn abandons them.
      while (!isOver && !isAborted) {
        answers.rejectUnanswered();
        await calm();
      }
      await staged.done;
    },
  };
}

type Images = Awaited<ReturnType<TurnPorts['keepImages']>>;

/** Returns whether pieces were delivered for a key. */
function hasPieces({ log }: TurnRecord, key: string): boolean {
  return log.some((entry) => 'key' in entry && entry.key === key);
}

/** Yields the pieces as the provider sent them. */
function* piecesOf({ text, lengths }: Pieces): Iterable<string> {
  let from = 0;
  for (const length of lengths) yield text.slice(from, (from += length));
}

/** Returns a tool for the loop: its name and properties, without an implementation. */
function toolOf(name: string, facts: ToolFacts | null | undefined, subject?: string): RegisteredTool {
  const { icon, verb, family = '', replay, isConcurrent, compose } = facts ?? {};
  return {
    ...{ name, family, plugin: family, traits: [], description: '', input: {} },
    ...(replay === undefined ? {} : { replay: replay as NonNullable<RegisteredTool['replay']> }),
    ...(isConcurrent === undefined ? {} : { isConcurrent }),
    ...(compose === undefined ? {} : { compose }),
    display: { ...(icon === undefined ? {} : { icon }), ...(verb === undefined ? {} : { verb }), ...(subject === undefined ? {} : { subject: () => subject }) },
  };
}

/** Methods of the tools service that the loop does not call. */
const noTools = {
  list: () => [],
  nameWith: () => undefined,
  specOf: () => undefined,
  reveal: () => undefined,
  checkArgs: (): CheckedCall => ({ ok: false, error: notRunOutput }),
} satisfies Partial<Tools>;
