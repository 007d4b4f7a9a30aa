// Serves a chat's workspace to viewers: folders, files, and pages in a sandboxed frame.
import { randomBytes } from 'node:crypto';
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { FileReply, Route } from 'agent-harness/plugins/http';
import type { FilePorts } from './ports.ts';
import type { Tickets } from './viewing/tickets.ts';
import type { ViewProblem } from './viewing/view-problem.ts';

/**
 * Required permission. A principal with write access can make the agent read any of these files anyway; one with read access sees only messages and changes.
 */
const permission = 'chats.write';
const strict = { additionalProperties: false } as const;
const chatId = Type.Optional(Type.String());
const path = Type.String({ minLength: 1, maxLength: 4096, description: 'Path relative to the workspace.' });

const folderSchema = {
  query: Type.Object(
    { chatId, path: Type.Optional(Type.String({ maxLength: 4096, description: 'Path relative to the workspace; default: the workspace itself.' })) },
    strict,
  ),
  reply: Type.Object({
    entries: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Union([Type.Literal('file'), Type.Literal('folder')]),
        bytes: Type.Optional(Type.Integer({ description: 'Size of a file.' })),
        isIgnored: Type.Optional(Type.Boolean({ description: 'Whether .gitignore excludes the entry.' })),
      }),
      { description: 'Entries, folders first, at most 1,000, without links and `.git`.' },
    ),
    more: Type.Integer({ description: 'Number of entries beyond the limit.' }),
  }),
};
const fileSchema = { query: Type.Object({ chatId, path }, strict) };
const previewSchema = {
  body: Type.Object(
    { chatId, path, scripts: Type.Optional(Type.Boolean({ description: 'Whether scripts in the page run, isolated from the network and the server.' })) },
    strict,
  ),
  reply: Type.Object({
    address: Type.String({ description: 'Address for a frame in a page of this server; valid for ten minutes.' }),
    expiresAt: Type.String(),
  }),
};
const ticketSchema = { params: Type.Object({ ticket: Type.String({ maxLength: 64 }) }) };

export interface ViewParts {
  readonly chats: Chats;
  readonly ports: FilePorts;
  readonly tickets: () => Promise<Tickets>;
  error(reason: ViewProblem, details?: Readonly<Record<string, unknown>>): Error;
}

export function viewRoutes({ chats, ports, tickets, error }: ViewParts): Route[] {
  const rootOf = async (wanted: string | undefined): Promise<string> => (await chats.peek(wanted)).workspaceRoot;
  const load = () => import('./viewing/read-workspace.ts');

  const folder: Route<typeof folderSchema> = {
    key: 'GET /api/workspace/folder',
    summary: 'Lists a folder of the workspace of a chat.',
    tag: 'chats',
    permission,
    schema: folderSchema,
    async handle({ query, signal }) {
      const { listFolder } = await load();
      return listFolder(await rootOf(query.chatId), query.path ?? '.', { ports, error, signal });
    },
  };
  const file: Route<typeof fileSchema> = {
    key: 'GET /api/workspace/file',
    summary: 'Returns the bytes of a file in the workspace of a chat, at most 10 MB.',
    tag: 'chats',
    permission,
    schema: fileSchema,
    mediaType: 'application/octet-stream',
    async handle({ query }): Promise<FileReply> {
      const { readViewed } = await load();
      const { bytes, isText, tag } = readViewed(await rootOf(query.chatId), query.path, { ports, error });
      // The content is never sent with its declared type, because a browser must not run it with this server's origin.
      return { content: bytes, type: isText ? 'text/plain; charset=utf-8' : 'application/octet-stream', tag, headers: { 'cache-control': 'no-cache' } };
    },
  };
  const preview: Route<typeof previewSchema> = {
    key: 'POST /api/workspace/preview',
    summary: 'Creates an address at which a sandboxed frame can display a page of the workspace.',
    tag: 'chats',
    permission,
    schema: previewSchema,
    async handle({ body }) {
      const { readViewed } = await load();
      const workspaceRoot = await rootOf(body.chatId);
      const { isText } = readViewed(workspaceRoot, body.path, { ports, error });
      if (!isText) throw error('NOT_SHOWN', { path: body.path });
      const { id, expiresAt } = (await tickets()).issue({ workspaceRoot, path: body.path, hasScripts: body.scripts === true });
      return { address: `/api/workspace/preview/${id}`, expiresAt };
    },
  };
  const sealed: Route<typeof ticketSchema> = {
    key: 'GET /api/workspace/preview/:ticket',
    summary: 'Returns a sandboxed page of a workspace: without origin and network access, and only for a frame of this server.',
    tag: 'chats',
    // A frame cannot send a token, so a ticket replaces it: 128 bits, valid for one file and ten minutes, issued to an authorised reader.
    auth: 'open',
    schema: ticketSchema,
    mediaType: 'text/html',
    async handle({ params, headers }): Promise<FileReply> {
      const found = (await tickets()).find(params.ticket);
      const isFramed = headers['sec-fetch-dest'] === undefined || headers['sec-fetch-dest'] === 'iframe';
      if (!found || !isFramed) throw error('NO_PREVIEW');
      const [{ readViewed, peekViewed }, { sealedHeaders }, { packPage }] = await Promise.all([
        load(),
        import('#lib/page-policy'),
        import('./viewing/pack-page.ts'),
      ]);
      const { workspaceRoot, hasScripts } = found;
      const { bytes } = readViewed(workspaceRoot, found.path, { ports, error });
      const read = (path: string): Buffer | undefined => peekViewed(workspaceRoot, path, { ports, error });
      const nonce = hasScripts ? randomBytes(16).toString('base64url') : undefined;
      return {
        content: Buffer.from(packPage(bytes.toString('utf8'), found.path, { read, ...(nonce === undefined ? {} : { nonce }) })),
        type: 'text/html; charset=utf-8',
        headers: sealedHeaders(nonce === undefined ? undefined : { nonce, hasHandlers: true }),
      };
    },
  };
  return [folder, file, preview, sealed];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/workspace/folder': typeof folderSchema;
    'GET /api/workspace/file': typeof fileSchema;
    'POST /api/workspace/preview': typeof previewSchema;
    'GET /api/workspace/preview/:ticket': typeof ticketSchema;
  }
}
