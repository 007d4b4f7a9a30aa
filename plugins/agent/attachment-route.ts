// Serves `GET /api/attachments/:id`: attachments of messages, and images that tools displayed. They are never served as a web page.
import { pictureTypeOf } from '#lib/values';
import * as Type from 'typebox';
import type { Attachments } from 'agent-harness/plugins/agent';
import type { Chats } from 'agent-harness/plugins/chats';
import type { FileReply, Route } from 'agent-harness/plugins/http';

const schema = {
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }),
};

export function attachmentRoute(services: { readonly chats: Chats; readonly attachments: Attachments }, notFound: (id: string) => Error): Route<typeof schema> {
  const { chats, attachments } = services;
  return {
    key: 'GET /api/attachments/:id',
    summary: 'Returns the bytes of a file attached to a message, or of an image that a tool displayed.',
    tag: 'session',
    permission: 'chats.read',
    schema,
    mediaType: 'application/octet-stream',
    async handle({ params, query }): Promise<FileReply> {
      const { chatId } = await chats.peek(query.chatId);
      const bytes = (await attachments.find(chatId, params.id))?.content;
      if (!bytes) throw notFound(params.id.slice(0, 64));
      const mimeType = pictureTypeOf(bytes);
      return {
        content: bytes,
        type: mimeType ?? 'application/octet-stream',
        tag: params.id,
        isImmutable: true,
        ...(mimeType === undefined ? { download: params.id } : {}),
      };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/attachments/:id': typeof schema;
  }
}
