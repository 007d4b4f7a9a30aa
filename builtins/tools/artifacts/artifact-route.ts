// Serves `GET /api/artifacts/:id`. The bytes are untrusted, so the reply prevents browsers from running them as a page.
import { textStart } from '#lib/text';
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { FileReply, Route } from 'agent-harness/plugins/http';
import type { Artifacts } from 'agent-harness/plugins/tools';
import { decodeText } from './decode-text.ts';

const schema = {
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }),
};

export function artifactRoute(services: { readonly artifacts: Artifacts; readonly chats: Chats }, notFound: (id: string) => Error): Route<typeof schema> {
  return {
    key: 'GET /api/artifacts/:id',
    summary: 'Returns the bytes of an artifact of a chat.',
    tag: 'tools',
    permission: 'chats.read',
    schema,
    mediaType: 'application/octet-stream',
    async handle({ params, query }): Promise<FileReply> {
      const { chatId } = await services.chats.peek(query.chatId);
      const bytes = await services.artifacts.read(chatId, params.id);
      if (!bytes) throw notFound(textStart(params.id, 64));
      const isText = decodeText(bytes) !== undefined;
      return {
        content: bytes,
        type: isText ? 'text/plain; charset=utf-8' : 'application/octet-stream',
        tag: params.id,
        isImmutable: true,
        ...(isText ? {} : { download: params.id }),
      };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/artifacts/:id': typeof schema;
  }
}
