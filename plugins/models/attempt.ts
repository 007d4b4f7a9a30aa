// One attempt: runs an adapter, watches for silence and for size, collects what streams in.
import { messageOf } from 'agent-harness/lib/errors';
import type { ModelAdapter, ModelFault, ModelOutcome, ModelRequest, ModelRoute, ModelSink, ModelToolCall } from './contract.ts';
import type { Clock } from './retry.ts';

export const maxTextChars = 8 * 1024 * 1024;
export const maxArgsChars = 4 * 1024 * 1024;
export const maxCalls = 256;
export const maxNameChars = 256;

export interface Attempt {
  readonly outcome: ModelOutcome;
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
}

/** Rejects only with the reason of `signal`. */
export async function runAttempt(
  adapter: ModelAdapter,
  request: ModelRequest,
  route: ModelRoute,
  sink: ModelSink,
  options: { readonly idleMs: number; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Attempt> {
  const { idleMs, clock, signal } = options;
  signal.throwIfAborted();
  const own = new AbortController();
  const onAbort = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let fault: ModelFault | undefined;
  const stop = (kind: ModelFault['kind'], message: string): void => {
    fault ??= { ok: false, kind, message };
    own.abort(new Error(message));
  };
  const watched = watch(sink, clock, stop);
  const unwatch = stopWhenSilent(watched, idleMs, clock, stop);
  try {
    const outcome = await adapter.stream(request, route, watched.sink, own.signal);
    return { outcome: fault ?? outcome, ...watched.collected() };
  } catch (cause) {
    signal.throwIfAborted();
    const message = messageOf(cause);
    return { outcome: fault ?? { ok: false, kind: 'bad_reply', message: `the adapter for '${route.wire}' failed: ${message}` }, ...watched.collected() };
  } finally {
    unwatch();
    signal.removeEventListener('abort', onAbort);
    own.abort('over'); // without a reason node makes an error for it
  }
}

interface Watched {
  readonly sink: ModelSink;
  /** Of the newest delta, or of the begin. */
  lastAt(): number;
  collected(): { text: string; toolCalls: ModelToolCall[] };
}

function watch(sink: ModelSink, clock: Clock, stop: (kind: 'bad_reply', message: string) => void): Watched {
  // Joined at the end: a text that grew by appending keeps all its parts in memory for as long as the conversation has it.
  const texts: string[] = [];
  let textChars = 0;
  let argsChars = 0;
  let reasoningChars = 0;
  let lastAt = clock.now();
  const calls: { id: string; name: string; argsTexts: string[] }[] = [];
  return {
    lastAt: () => lastAt,
    collected: () => ({
      text: texts.join(''),
      toolCalls: calls.filter(Boolean).map(({ id, name, argsTexts }) => ({ id, name, argsText: argsTexts.join('') || '{}' })),
    }),
    sink: {
      text(delta) {
        lastAt = clock.now();
        texts.push(delta);
        textChars += delta.length;
        if (textChars > maxTextChars) return stop('bad_reply', 'the reply is longer than 8 MB');
        sink.text(delta);
      },
      reasoning(delta) {
        lastAt = clock.now();
        reasoningChars += delta.length;
        if (reasoningChars > maxTextChars) return stop('bad_reply', 'the reasoning is longer than 8 MB');
        sink.reasoning(delta);
      },
      toolCall(index, id, name) {
        lastAt = clock.now();
        if (index >= maxCalls) return stop('bad_reply', `the reply has more than ${maxCalls} tool calls`);
        if (name.length > maxNameChars) return stop('bad_reply', 'the name of a tool call is too long');
        calls[index] = { id, name, argsTexts: [] };
        sink.toolCall(index, id, name);
      },
      toolArgs(index, delta) {
        lastAt = clock.now();
        const call = calls[index];
        if (!call) return;
        call.argsTexts.push(delta);
        argsChars += delta.length;
        if (argsChars > maxArgsChars) return stop('bad_reply', 'the arguments of the tool calls are longer than 4 MB');
        sink.toolArgs(index, delta);
      },
    },
  };
}

/** One timer for the whole attempt, because one for each delta costs more than the delta. Answers how to end it. */
function stopWhenSilent(watched: Watched, idleMs: number, clock: Clock, stop: (kind: 'transient', message: string) => void): () => void {
  const look = (): void => {
    const left = watched.lastAt() + idleMs - clock.now();
    if (left > 0) cancel = clock.after(left, look);
    else stop('transient', `the provider sent nothing for ${Math.round(idleMs / 1000)} s`);
  };
  let cancel = clock.after(idleMs, look);
  return () => cancel();
}
