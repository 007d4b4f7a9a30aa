// GET /api/attachments/:id: what came with a message or a picture that a tool showed. Never run as a page.
import * as Type from 'typebox';
import type { Attachments } from 'agent-harness/plugins/agent';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import { pictureTypeOf } from './attachments.ts';

const schema = {
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }),
};

export function attachmentRoute(services: { readonly chats: Chats; readonly attachments: Attachments }, notFound: (id: string) => Error): Route<typeof schema> {
  const { chats, attachments } = services;
  return {
    key: 'GET /api/attachments/:id',
    summary: 'The bytes of a file that came with a message, or of a picture that a tool showed.',
    tag: 'session',
    permission: 'chats.read',
    schema,
    isRaw: true,
    mediaType: 'application/octet-stream',
    async handle({ params, query, reply }) {
      const { chatId } = await chats.peek(query.chatId);
      const bytes = (await attachments.find(chatId, params.id))?.content;
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
