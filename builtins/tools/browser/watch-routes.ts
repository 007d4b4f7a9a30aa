// Serves the open browser pages of a chat read-only: a list, and an image of each page.
import { textStart } from '#lib/text';
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Chats } from 'agent-harness/plugins/chats';
import type { FileReply, Route } from 'agent-harness/plugins/http';
import type { Watch } from './watch.ts';

export interface WatchPorts {
  /** Service whose `get` rejects for a missing chat. */
  readonly chats: Pick<Chats, 'get'>;
  /** Returns the same object each time. */
  loadWatch(): Promise<Watch>;
  makeError(reason: 'TAB_NOT_FOUND' | 'PAGE_SILENT', details: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
}

const chat = Type.String({ description: 'Id of a chat.' });
const listing = {
  params: Type.Object({ id: chat }),
  reply: Type.Object({
    state: Type.Union([Type.Literal('closed'), Type.Literal('starting'), Type.Literal('open')]),
    tabs: Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String({ description: 'Address of the page, truncated to 2,000 characters.' }),
        title: Type.String(),
        isActive: Type.Boolean({ description: 'Whether the agent used this tab last.' }),
      }),
    ),
    note: Type.Optional(Type.String({ description: 'Reason, for users, why there is no tab.' })),
  }),
};
const picturing = { params: Type.Object({ id: chat, tabId: Type.String({ description: 'Id of a tab from the list.' }) }) };

export function listRoute({ chats, loadWatch }: WatchPorts): Route<typeof listing> {
  return {
    key: 'GET /api/chats/:id/browser',
    summary: 'Lists the open pages in the browser of a chat; there are none unless a turn is running.',
    tag: 'tools',
    permission: 'chats.read',
    schema: listing,
    handle: async ({ params }) => {
      const { chatId } = await chats.get(params.id);
      const { tabs, ...rest } = await (await loadWatch()).list(chatId);
      return { ...rest, tabs: [...tabs] };
    },
  };
}

/** Serves an image. The header `age` contains its age in seconds; a page that does not respond keeps its last image. */
export function pictureRoute({ chats, loadWatch, makeError }: WatchPorts): Route<typeof picturing> {
  return {
    key: 'GET /api/chats/:id/browser/:tabId/picture',
    summary: 'Returns a small picture of an open page; it is updated at most twice per second for all clients.',
    tag: 'tools',
    permission: 'chats.read',
    schema: picturing,
    mediaType: 'image/jpeg',
    async handle({ params: { id, tabId } }): Promise<FileReply> {
      const { chatId } = await chats.get(id);
      const watch = await loadWatch();
      const picture = await watch.picture(chatId, tabId).catch((fault: unknown) => {
        throw makeError('PAGE_SILENT', { tabId }, fault);
      });
      if (!picture) throw makeError('TAB_NOT_FOUND', { tabId: textStart(tabId, 64) });
      const age = Math.round((performance.now() - picture.takenAt) / 1_000);
      return { content: Buffer.from(picture.jpeg), type: 'image/jpeg', headers: { age: String(age) } };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/chats/:id/browser': typeof listing;
    'GET /api/chats/:id/browser/:tabId/picture': typeof picturing;
  }
}
