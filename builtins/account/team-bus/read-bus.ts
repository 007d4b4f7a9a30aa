// Reads the messages of a workspace from the team bus, starting after a cursor, until no more are available.
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import { failure } from '#lib/errors';
import { isRecord } from '#lib/values';

export type BusItem =
  | { readonly cursor: number; readonly at: string; readonly from: string; readonly key: string; readonly envelope: unknown }
  | { readonly cursor: number; readonly gap: { readonly from: number; readonly to: number } };

export interface BusReading {
  readonly workspace: string;
  readonly since: number;
  /** Maximum wait for the first message, in milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Maximum number of messages in one read. */
const maxItems = 100;
/** Maximum total size of the messages in one read, in characters. */
const maxChars = 48_000;
/** Time without a message, in milliseconds, after which reading ends. */
const quietMs = 400;
/** Timeout of the connection in milliseconds. */
const connectMs = 10_000;

/**
 * Reads messages of a workspace, oldest first. Rejects with a failure if the control plane is unreachable or refuses, and with the signal's reason when
 * aborted.
 */
export async function readBus(plane: Pick<ControlPlane, 'follow'>, { workspace, since, waitMs, signal }: BusReading): Promise<readonly BusItem[]> {
  const items: BusItem[] = [];
  const over = new AbortController();
  let chars = 0;
  let problem: string | undefined;
  let timer = setTimeout(() => end('it did not respond in time.'), connectMs);

  function end(why?: string): void {
    problem = why;
    over.abort();
  }
  function endAfter(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => end(), ms);
  }

  const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }));
  const onAbort = (): void => end();
  signal.addEventListener('abort', onAbort, { once: true });
  plane.follow({
    path: `/api/team/bus/subscribe?${new URLSearchParams({ workspace, since: String(since) }).toString()}`,
    signal: over.signal,
    take({ data }) {
      const item = itemOf(data);
      if (over.signal.aborted || !item) return;
      items.push(item);
      chars += JSON.stringify(data).length;
      if (items.length >= maxItems || chars >= maxChars) end();
      else endAfter(quietMs);
    },
    onState(state, why) {
      if (state === 'live') endAfter(Math.max(quietMs, waitMs));
      else if (items.length === 0) end(why ?? 'the connection was lost.');
      else end();
    },
  });
  if (signal.aborted) end();
  await ended;
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
  if (problem !== undefined) throw failure(`The bus cannot be read: ${problem}`, 'Continue without it and retry later.');
  return items;
}

function itemOf(data: unknown): BusItem | undefined {
  if (!isRecord(data)) return undefined;
  const { gap, cursor, at, from, key, envelope } = data;
  if (isRecord(gap) && typeof gap['from'] === 'number' && typeof gap['to'] === 'number')
    return { cursor: gap['to'], gap: { from: gap['from'], to: gap['to'] } };
  if (typeof cursor !== 'number') return undefined;
  const name = isRecord(from) ? from['name'] : undefined;
  return { cursor, at: String(at), from: typeof name === 'string' ? name : 'unknown sender', key: String(key), envelope };
}
