// Answers a turn from its record: each question by what was answered then, and all of it in the order in which it came.
import { yieldToEventLoop } from 'agent-harness/lib/event-loop';
import { jsonOf } from 'agent-harness/lib/values';
import type { CallOptions } from 'agent-harness/kernel';
import type { Denial, Prompt, StagedPorts, StagedTurn, ToolCall, TurnPorts } from 'agent-harness/plugins/agent';
import type { ModelCall, ModelMessage, ModelReply, ModelRequest, ModelToolCall } from 'agent-harness/plugins/models';
import type { CheckedCall, Grant, RegisteredTool, ToolOutcome } from 'agent-harness/plugins/tools';
import { errorFrom, hasPieces, makesRequest, noTools, notRunOutput, passesOn, piecesOf, tailOf, toolOf, whole } from './played-parts.ts';
import type { Player, PlayerOptions, SaidEvent } from './player-types.ts';
import type { Checked, EndedReply, Entry, SeenGrant, ShownRequest, TurnRecord } from './record-types.ts';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

export function createPlayer(record: TurnRecord, options: PlayerOptions): Player {
  const events: SaidEvent[] = [];
  const requests: ShownRequest[] = [];
  const notRun: string[] = [];
  const counts = new Map<string, number>();
  const values = new Map(Object.entries(record.values).map(([key, list]) => [key, list.values()] as const));
  const answers = new Map(record.log.flatMap((entry, at) => (entry.on === 'answer' ? [[entry.key, at] as const] : [])));
  const pending = new Map<number, Pending>();
  const stuck = new Map<string, Pending>();
  const streams = new Map<string, { readonly call: ModelCall; text: string; readonly calls: { id: string; name: string; args: string }[] }>();
  const notes = new Map<string, (note: string) => void>();
  const lanes = new Map<number, AbortController>();
  /** Calls with other arguments than then. */
  const unlike = new Set<string>();
  const chosen = {
    ...(record.model === undefined ? {} : { model: record.model }),
    ...(record.effort === undefined ? {} : { effort: record.effort }),
  };
  const config = record.config && { ...record.config, ...options.settings };
  let played = 0;
  let outside = 0;
  let made = 0;
  let turn: StagedTurn | undefined;
  let isOver = false;
  let missing: Player['missing'];

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

  function answer(key: string): Promise<unknown> {
    const at = answers.get(key);
    return new Promise((resolve, reject) => {
      if (at === undefined) stuck.set(key, { resolve, reject });
      else if (at < played) settle(at, { resolve, reject });
      else pending.set(at, { resolve, reject });
    });
  }

  function settle(at: number, { resolve, reject }: Pending): void {
    const entry = record.log[at] as Extract<Entry, { on: 'answer' }>;
    if (entry.fault) reject(errorFrom(entry.fault));
    else resolve(entry.value);
  }

  async function live<T>(work: Promise<T>): Promise<T> {
    outside++;
    try {
      return await work;
    } finally {
      outside--;
    }
  }

  function miss(key: string, request?: ShownRequest): Error {
    missing ??= { key, ...(request ? { request } : {}) };
    return Object.assign(new Error('The record has no answer for this.'), { code: 'REPLAY_ERR_DIFFERS' });
  }

  /** @param conversation as the loop gave it, before any plugin */
  function shownRequest(key: string, conversation: readonly ModelMessage[], request: ModelRequest): ShownRequest {
    const lane = key.slice(0, key.indexOf('/') + 1);
    const asks = record.asks.filter((one) => one.key.startsWith(lane));
    const ask = record.asks.find((one) => one.key === key) ?? asks.at(-1);
    if (!ask || options.live) return whole(key, request);
    const isKnown = ask.key === key;
    const { purpose, maxTokens, model, effort } = ask;
    const messages = isKnown ? ask.messages.flatMap((one) => ('role' in one ? one : conversation.slice(...one))) : [...conversation, ...tailOf(ask)];
    return {
      ...{ key, purpose, maxTokens, messages, system: record.texts[ask.system] ?? '' },
      tools: JSON.parse(record.texts[ask.tools] ?? '[]') as ModelRequest['tools'],
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
    };
  }

  async function stream(lane: number, conversation: readonly ModelMessage[], request: ModelRequest, call: ModelCall, signal: AbortSignal): Promise<ModelReply> {
    const key = keyOf(lane, 'stream');
    const asked = shownRequest(key, conversation, request);
    const shown = options.request?.(asked) ?? asked;
    requests.push(shown);
    const isKnown = (answers.has(key) || hasPieces(record, key)) && (options.isAnswered?.(shown) ?? true);
    if (!isKnown) {
      if (!options.ask) throw miss(key, shown);
      const { key: _, ...sent } = shown;
      return live(options.ask(sent, call, signal));
    }
    const open = { call, text: '', calls: [] };
    streams.set(key, open);
    const ended = (await answer(key)) as EndedReply;
    const toolCalls: ModelToolCall[] = streams
      .get(key)!
      .calls.filter(Boolean)
      .map(({ id, name, args }) => ({ id, name, argsText: args || '{}' }));
    streams.delete(key);
    return { text: open.text, toolCalls, ...ended };
  }

  /** With all that plugins look at. */
  function toolNow(name: string): RegisteredTool | undefined {
    return options.live && options.tools?.find(name);
  }

  function checkOf(lane: number, name: string, argsText: string): CheckedCall {
    const seen =
      next<Checked | undefined>(lane, `check/${name}`, () => undefined) ??
      record.values[`${lane}/check/${name}`]?.find((one) => (one as Checked).argsText === argsText);
    const checked = seen as Checked | undefined;
    if (checked?.argsText !== argsText) return options.tools?.check(name, argsText) ?? { ok: false, error: notRunOutput };
    if ('error' in checked) return { ok: false, error: checked.error, ...(checked.hint === undefined ? {} : { hint: checked.hint }) };
    const args = checked.args ?? ((jsonOf(argsText) ?? {}) as Record<string, unknown>);
    return { ok: true, tool: toolOf(checked.tool, record.tools[checked.tool], checked.subject, toolNow(checked.tool)), args: { ...args } };
  }

  async function run(lane: number, { callId, tool, args }: Grant, progress: (note: string) => void): Promise<ToolOutcome> {
    const key = keyOf(lane, 'run', callId);
    const other = options.outcome?.(callId, tool.name, args);
    if (other) return other;
    if ((answers.has(key) && !unlike.has(callId)) || !options.tools) {
      notes.set(key, progress);
      return (await answer(key)) as ToolOutcome;
    }
    notRun.push(tool.name);
    return { ok: false, error: notRunOutput };
  }

  async function authorize(lane: number, call: ToolCall): Promise<Grant | Denial> {
    const { callId, tool, args, turn: of } = call;
    const key = keyOf(lane, 'gate', callId);
    const { chatId, turnId, workspaceRoot } = of;
    const granted = { callId, tool, args, chatId, turnId, workspaceRoot };
    const judged = options.live && (await live(options.live.judge(key, call)));
    if (judged?.isOther) {
      const now = judged.take();
      if ('deny' in now) return now;
      // What is recorded was answered to something else.
      unlike.add(callId);
      return { ...granted, ...now } as unknown as Grant;
    }
    if (!answers.has(key) && options.tools) return granted as unknown as Grant;
    const seen = (await answer(key)) as SeenGrant | { readonly deny: string };
    if ('deny' in seen) return seen;
    const isSame = seen.tool === tool.name;
    return { ...granted, ...seen, tool: isSame ? tool : toolOf(seen.tool, record.tools[seen.tool]) } as unknown as Grant;
  }

  function portsOf(lane: number): StagedPorts {
    let conversation: readonly ModelMessage[] = [];
    return {
      ...(config ? { config } : {}),
      emitter: {
        emit: (kind, event) => void (lane === 0 && events.push({ kind, ...(event as object) })),
        async call(hook: string, args: readonly unknown[], how?: CallOptions) {
          const key = keyOf(lane, 'hook', hook);
          const [first] = args;
          if (hook === 'prompt.build') conversation = (first as Prompt).messages;
          const now = options.live && (await live(options.live.call(key, hook, args, how)));
          if (now && (now.isOther || makesRequest.has(hook) || !answers.has(key))) return now.take();
          const isMade = hook === 'tool.after' && options.outcome?.((args[1] as { callId: string }).callId, '', undefined) !== undefined;
          if (isMade || (!answers.has(key) && options.tools)) return passesOn.has(hook) ? first : undefined;
          return (await answer(key)) ?? (passesOn.has(hook) ? first : undefined);
        },
      } as TurnPorts['emitter'],
      clock: { now: () => next(lane, 'now', () => record.startedAt), elapsed: () => next(lane, 'elapsed', () => 0) },
      storage: { createId: (prefix) => next(lane, `id/${prefix}`, () => `${prefix}_replayed${++made}`) },
      models: {
        route: () => ({ wire: 'demo', baseURL: '', model: next(lane, 'route', () => record.model ?? '') }),
        routeNow: async () => ({ wire: 'demo', baseURL: '', model: (await answer(keyOf(lane, 'route'))) as string }),
        takesAudio: async () => (await answer(keyOf(lane, 'audio'))) as boolean,
        stream: (request, call, signal) => stream(lane, conversation, request, call, signal),
      },
      tools: {
        ...noTools,
        find: (name) =>
          (Object.hasOwn(record.tools, name) ? record.tools[name] && toolOf(name, record.tools[name], undefined, toolNow(name)) : options.tools?.find(name)) ??
          undefined,
        visible: (chatId) => (options.live && options.tools ? options.tools.visible(chatId) : { specs: [], hiddenFamilies: [] }),
        check: (name, argsText) => checkOf(lane, name, argsText),
        run: (grant, { progress }) => run(lane, grant, progress),
      },
      gate: { authorize: (call) => authorize(lane, call) },
      eventLog: { flushed: () => free(lane, 'flush') },
      artifacts: { distrust: () => free(lane, 'distrust') },
      keepImages: async () => (await free<Images | undefined>(lane, 'images')) ?? { kept: [], shown: [] },
      // The record names what was chosen for the chat.
      chatOf: () => Promise.resolve(chosen),
      forTask: () => portsOf([...lanes.keys()].at(-1) ?? 0) as TurnPorts,
    };
  }

  /** What nobody changes: a question that was not asked then is answered at once. */
  async function free<T>(lane: number, kind: string): Promise<T> {
    const key = keyOf(lane, kind);
    return (answers.has(key) || !options.tools ? await answer(key) : undefined) as T;
  }

  function deliver(entry: Exclude<Entry, { on: 'answer' }>): void {
    if (entry.on === 'join') return void live(turn!.join(entry.event));
    if (entry.on === 'abort') {
      const reason = errorFrom(entry.fault);
      return entry.lane === 0 ? turn!.abort(reason) : lanes.get(entry.lane)?.abort(reason);
    }
    if (entry.on === 'task') {
      const abort = new AbortController();
      lanes.set(entry.lane, abort);
      turn!.runTask(entry.task, portsOf(0), abort.signal).catch(() => undefined); // what came of it, the record has
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

  /** Until nothing goes on by itself any more. */
  async function calm(): Promise<void> {
    do await yieldToEventLoop();
    while (outside > 0 && !isOver);
    await yieldToEventLoop();
  }

  return {
    ports: () => portsOf(0),
    events,
    requests,
    notRun,
    get missing() {
      return missing;
    },
    async play(staged) {
      turn = staged;
      void staged.done.then(() => (isOver = true));
      let isAborted = false;
      await calm();
      for (const [at, entry] of record.log.entries()) {
        if (isOver) break;
        played = at + 1;
        if (entry.on === 'answer') {
          const waiting = pending.get(at);
          pending.delete(at);
          if (waiting) settle(at, waiting);
        } else deliver(entry);
        isAborted ||= entry.on === 'abort' && entry.lane === 0;
        await calm();
      }
      // Whoever waits now waits for good, unless the turn was stopped: then it leaves them behind.
      while (!isOver && !isAborted) {
        for (const [key, waiting] of stuck) {
          stuck.delete(key);
          waiting.reject(miss(key));
        }
        await calm();
      }
      await staged.done;
    },
  };
}

type Images = Awaited<ReturnType<TurnPorts['keepImages']>>;
