// Runs one attempt of a model request, enforces time and size limits, and collects the stream.
import { messageOf } from '#lib/errors';
import type { ModelAdapter, ModelFault, ModelOutcome, ModelRequest, ModelRoute, ModelSink, ModelToolCall } from './contract.ts';
import { createReplyText, type ReplyText } from './reply-text.ts';
import type { Clock } from './retry.ts';

export const maxTextChars = 8 * 1024 * 1024;
export const maxArgsChars = 4 * 1024 * 1024;
export const maxCalls = 256;
export const maxNameChars = 256;

export interface Attempt {
  readonly outcome: ModelOutcome;
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** Whether the reply contains a tool call, written as text, that could not be parsed. */
  readonly hasUnreadCall?: boolean;
}

export interface AttemptOptions {
  /** Maximum time between two deltas, in milliseconds. */
  readonly idleMs: number;
  /** Maximum time to the first delta, in milliseconds; `Infinity`: no limit. Default: `idleMs`. */
  readonly firstTokenMs?: number;
  /** Whether tool calls in the reply text are parsed. `false` for providers with native tool calls, where such text is a quotation. */
  readonly readsCalls?: boolean;
  /** Whether the server is in the local network. A first-token timeout is then not retried, because the server would process the whole prompt again. */
  readonly isNear?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called if all text so far turns out to be reasoning. The caller discards the text, which is delivered again as reasoning. */
  restart?(): void;
}

/** Runs an attempt. Rejects only with the reason of `signal`. */
export async function runAttempt(adapter: ModelAdapter, request: ModelRequest, route: ModelRoute, sink: ModelSink, options: AttemptOptions): Promise<Attempt> {
  const { clock, signal } = options;
  signal.throwIfAborted();
  const own = new AbortController();
  const onAbort = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let fault: ModelFault | undefined;
  const stop = (kind: ModelFault['kind'], message: string): void => {
    fault ??= { ok: false, kind, message };
    own.abort(new Error(message));
  };
  const names = new Set(request.tools.map(({ name }) => name));
  const watched = watch(sink, clock, stop, options.restart, options.readsCalls && names.size > 0 ? (name) => names.has(name) : undefined);
  const unwatch = stopWhenSilent(watched, options, stop);
  try {
    const outcome = await adapter.stream(request, route, watched.sink, own.signal);
    return { outcome: fault ?? outcome, ...watched.collected(outcome) };
  } catch (cause) {
    signal.throwIfAborted();
    const message = messageOf(cause);
    return { outcome: fault ?? { ok: false, kind: 'bad_reply', message: `the adapter for '${route.wire}' failed: ${message}` }, ...watched.collected() };
  } finally {
    unwatch();
    signal.removeEventListener('abort', onAbort);
    own.abort('over'); // without a reason, Node would create an error
  }
}

interface Watched {
  readonly sink: ModelSink;
  /** Returns the time of the newest delta; before the first delta, the start of the attempt. */
  lastAt(): number;
  hasBegun(): boolean;
  /** Returns the collected stream. @param outcome outcome of a completed attempt */
  collected(outcome?: ModelOutcome): Omit<Attempt, 'outcome'>;
}

type Stop = (kind: 'bad_reply' | 'transient' | 'timeout', message: string) => void;

function watch(sink: ModelSink, clock: Clock, stop: Stop, restart?: () => void, isTool?: (name: string) => boolean): Watched {
  // Joined at the end, because a string that is built by appending keeps all its parts in memory.
  let texts: string[] = [];
  let textChars = 0;
  let argsChars = 0;
  let reasoningChars = 0;
  let lastAt = clock.now();
  let hasBegun = false;
  const calls: { id: string; name: string; argsTexts: string[] }[] = [];

  function heard(): void {
    lastAt = clock.now();
    hasBegun = true;
  }

  function takeReasoning(delta: string): void {
    reasoningChars += delta.length;
    if (reasoningChars > maxTextChars) return stop('bad_reply', 'the reasoning is longer than 8 MB');
    sink.reasoning(delta);
  }

  function toolCall(index: number, id: string, name: string): void {
    if (index >= maxCalls) return stop('bad_reply', `the reply has more than ${maxCalls} tool calls`);
    if (name.length > maxNameChars) return stop('bad_reply', 'the name of a tool call is too long');
    calls[index] = { id, name, argsTexts: [] };
    sink.toolCall(index, id, name);
  }

  function toolArgs(index: number, delta: string): void {
    const call = calls[index];
    if (!call) return;
    call.argsTexts.push(delta);
    argsChars += delta.length;
    if (argsChars > maxArgsChars) return stop('bad_reply', 'the arguments of the tool calls are longer than 4 MB');
    sink.toolArgs(index, delta);
  }

  const replyText: ReplyText = createReplyText(
    {
      text(delta) {
        texts.push(delta);
        sink.text(delta);
      },
      reasoning: takeReasoning,
      wasReasoning() {
        const said = texts.join('');
        texts = [];
        restart?.();
        takeReasoning(said);
      },
    },
    isTool,
  );

  /** Flushes the text, and adds the calls parsed from it. */
  function endText(): { readonly hasUnreadCall?: boolean } {
    const { calls: written, isUnread } = replyText.end(calls.length > 0);
    for (const [index, { name, argsText }] of written.entries()) {
      toolCall(index, `text_${index}`, name);
      toolArgs(index, argsText);
    }
    return isUnread ? { hasUnreadCall: true } : {};
  }

  return {
    lastAt: () => lastAt,
    hasBegun: () => hasBegun,
    collected(outcome) {
      const unread = outcome?.ok ? endText() : {};
      // A call whose arguments were cut off by the token limit must not run with empty arguments.
      const isCut = outcome?.ok === true && outcome.finish === 'length';
      const made = calls.filter(Boolean);
      const toolCalls = made.map(({ id, name, argsTexts }, index) => ({
        ...{ id, name },
        argsText: argsTexts.join('') || (isCut && index === made.length - 1 ? '' : '{}'),
      }));
      return { text: texts.join(''), toolCalls, ...unread };
    },
    sink: {
      text(delta) {
        heard();
        textChars += delta.length;
        if (textChars > maxTextChars) return stop('bad_reply', 'the reply is longer than 8 MB');
        replyText.take(delta);
      },
      reasoning(delta) {
        heard();
        takeReasoning(delta);
      },
      toolCall(index, id, name) {
        heard();
        toolCall(index, id, name);
      },
      toolArgs(index, delta) {
        heard();
        toolArgs(index, delta);
      },
    },
  };
}

/**
 * Stops an attempt in which the server is silent for too long. Uses one timer, because a timer per delta would cost more than processing the delta. Returns the
 * function that ends the timer.
 */
function stopWhenSilent(watched: Watched, { idleMs, firstTokenMs = idleMs, isNear = false, clock }: AttemptOptions, stop: Stop): () => void {
  let cancel: (() => void) | undefined;
  const wait = (ms: number): void => {
    // Node timers are limited to 2^31 ms; for a longer wait, the timer is restarted.
    cancel = clock.after(Math.min(ms, longestTimerMs), look);
  };
  const look = (): void => {
    const limitMs = watched.hasBegun() ? idleMs : firstTokenMs;
    const left = limitMs === Infinity ? idleMs : watched.lastAt() + limitMs - clock.now();
    if (left > 0) return wait(left);
    const seconds = limitMs / 1000;
    if (watched.hasBegun()) stop('transient', `the provider sent no data for ${seconds} s (limit: AGENT_STREAM_IDLE_MS)`);
    else stop(isNear ? 'timeout' : 'transient', `the reply did not begin within ${seconds} s (limit: AGENT_FIRST_TOKEN_MS)`);
  };
  wait(Math.min(firstTokenMs, idleMs));
  return () => cancel?.();
}

const longestTimerMs = 2_000_000_000;
