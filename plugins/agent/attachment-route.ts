// GET /api/attachments/:id: what came with a message or a picture that a tool showed. Never run as a page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Storage } from 'agent-harness/plugins/storage';

const schema = {
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }),
};

const pictures: readonly (readonly [hex: string, mimeType: string])[] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['52494646', 'image/webp'],
];

export function attachmentRoute(services: { readonly chats: Chats; readonly storage: Storage }, notFound: (id: string) => Error): Route<typeof schema> {
  const { chats, storage } = services;
  return {
    key: 'GET /api/attachments/:id',
    summary: 'The bytes of a file that came with a message, or of a picture that a tool showed.',
    tag: 'session',
    schema,
    isRaw: true,
    mediaType: 'application/octet-stream',
    async handle({ params, query, reply }) {
      const { chatId } = await chats.get(query.chatId);
      const bytes = storage.isId('att', params.id) ? await readIfThere(join(chats.folder(chatId), 'attachments', params.id)) : undefined;
      if (!bytes) throw notFound(params.id.slice(0, 64));
      const mimeType = pictureTypeOf(bytes);
      await reply
        .header('content-type', mimeType ?? 'application/octet-stream')
        .header('content-disposition', mimeType === undefined ? `attachment; filename="${params.id}"` : 'inline')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, max-age=31536000, immutable')
        .send(bytes);
    },
  };
}

/** By its first bytes: what a client said of it proves nothing. */
function pictureTypeOf(bytes: Buffer): string | undefined {
  const hex = bytes.subarray(0, 8).toString('hex');
  return pictures.find(([magic]) => hex.startsWith(magic))?.[1];
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
}
