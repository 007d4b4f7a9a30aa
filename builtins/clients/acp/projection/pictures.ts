// Loads the images of tool results before their calls are reported.
import type { Client } from 'agent-harness/client';
import { withLimit } from '#lib/async';
import type { Entry } from 'agent-harness/transcript';

export interface Pictures {
  /** Returns the image as base64; `undefined` if it could not be loaded. */
  find(attachmentId: string): string | undefined;
  /** Resolves when the images of the entries have loaded or failed; `undefined` if there are none. Never rejects. */
  read(entries: readonly Entry[]): Promise<void> | undefined;
}

/** Timeout for all missing images, in milliseconds. */
const patienceMs = 2_000;
/** Maximum number of images that are loaded together; older images are omitted. */
const mostAtOnce = 50;

export function createPictures(client: Pick<Client, 'bytes'>, chatId: string): Pictures {
  const known = new Map<string, string | undefined>();

  async function readOne(attachmentId: string): Promise<void> {
    try {
      const blob = await client.bytes(`/api/attachments/${attachmentId}?${new URLSearchParams({ chatId }).toString()}`);
      known.set(attachmentId, Buffer.from(await blob.arrayBuffer()).toString('base64'));
    } catch {
      // an image that fails to load is omitted; the text of the result is shown
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
