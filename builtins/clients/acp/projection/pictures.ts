// Pictures that tools showed, read before the call that shows them is told.
import type { Client } from 'agent-harness/client';
import { withLimit } from 'agent-harness/lib/async';
import type { Entry } from 'agent-harness/transcript';

export interface Pictures {
  /** In base64; `undefined` for one that could not be read. */
  find(attachmentId: string): string | undefined;
  /** Resolves when those of the entries are read or given up; `undefined` where there is nothing to wait for. Never rejects. */
  read(entries: readonly Entry[]): Promise<void> | undefined;
}

/** Milliseconds for all that are missing at once. */
const patienceMs = 2_000;
/** Older ones of a chat that is loaded are left out. */
const mostAtOnce = 50;

export function createPictures(client: Pick<Client, 'bytes'>, chatId: string): Pictures {
  const known = new Map<string, string | undefined>();

  async function readOne(attachmentId: string): Promise<void> {
    try {
      const blob = await client.bytes(`/api/attachments/${attachmentId}?${new URLSearchParams({ chatId }).toString()}`);
      known.set(attachmentId, Buffer.from(await blob.arrayBuffer()).toString('base64'));
    } catch {
      // what cannot be read is not shown; the words of the result are
    }
  }

  return {
    find: (attachmentId) => known.get(attachmentId),
    read(entries) {
      const missing = entries
        .flatMap((entry) => (entry.kind === 'tool' && entry.images ? entry.images : []))
        .flatMap(({ attachmentId }) => (attachmentId === undefined || known.has(attachmentId) ? [] : [attachmentId]))
        .slice(-mostAtOnce);
      if (missing.length === 0) return undefined;
      for (const attachmentId of missing) known.set(attachmentId, undefined);
      return withLimit(Promise.all(missing.map(readOne)), patienceMs, () => undefined).then(() => undefined);
    },
  };
}
