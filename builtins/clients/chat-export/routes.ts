// Serves the routes that export chats as files and import them from files.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { FileReply, Route, RouteContext, RouteSchema } from 'agent-harness/plugins/http';
import { fileSchema, type ExportedChat } from './exported-chat.ts';

const largestFile = 64 * 1024 * 1024;
const exporting = {
  params: Type.Object({ id: Type.String({ description: 'Id of a chat.' }) }),
  query: Type.Object(
    {
      format: Type.Optional(Type.Union([Type.Literal('markdown'), Type.Literal('json'), Type.Literal('html')], { default: 'markdown' })),
      secrets: Type.Optional(Type.Boolean({ default: false, description: 'Includes the folder and likely secrets. Owner only.' })),
    },
    { additionalProperties: false },
  ),
};
const pickedFolder = Type.Optional(
  Type.String({ maxLength: 4096, description: 'Absolute path of the workspace that the user picked; default: an empty folder.' }),
);
const importing = {
  query: Type.Object({ workspaceRoot: pickedFolder }, { additionalProperties: false }),
  body: fileSchema,
  reply: Type.Object({
    chatId: Type.String(),
    isNew: Type.Boolean({ description: 'false if the same chat was imported before.' }),
    isInTrash: Type.Boolean(),
    turns: Type.Integer(),
  }),
};

const types = { markdown: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8', html: 'text/html; charset=utf-8' };
const endings = { markdown: 'md', json: 'json', html: 'html' };

export function createExportRoutes(chats: () => Chats, notAChat: (why: string) => Error): Route[] {
  return [
    route({
      key: 'GET /api/chats/:id/export',
      summary: 'Returns a chat as a file: Markdown, JSON that can be imported, or one HTML page without scripts.',
      tag: 'chats',
      permission: 'chats.read',
      schema: exporting,
      mediaType: 'text/markdown',
      async handle({ params, query, principal }: RouteContext<typeof exporting>): Promise<FileReply> {
        const { format = 'markdown' } = query;
        // Only the owner can export the folder and likely secrets.
        const secrets = query.secrets === true && principal?.role === 'owner';
        const { exportChat } = await import('./exported-chat.ts');
        const file = await exportChat(chats(), params.id, { redact: !secrets });
        const text = format === 'json' ? `${JSON.stringify(file, undefined, 1)}\n` : await render(format, file);
        return { content: Buffer.from(text), type: types[format], download: `${nameOf(file.chat.title)}.${endings[format]}` };
      },
    }),
    route({
      key: 'POST /api/chats/import',
      command: 'import_chat',
      summary: 'Creates a chat from an exported JSON file. Executes nothing in it; its text counts as external content.',
      tag: 'chats',
      permission: 'chats.manage',
      bodyLimit: largestFile,
      schema: importing,
      status: 201,
      async handle({ body, query }) {
        if (body.entries.every(({ kind }) => kind === 'note')) throw notAChat('it contains no messages.');
        const { readExported } = await import('./import-file.ts');
        return chats().import({ ...readExported(body), ...query });
      },
    }),
  ];
}

async function render(format: 'markdown' | 'html', file: ExportedChat): Promise<string> {
  if (format === 'html') return (await import('./render-html.ts')).renderHtml(file);
  return (await import('./render-markdown.ts')).renderMarkdown(file);
}

/** Returns a name that is valid on every file system. */
function nameOf(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/[^\w .-]+/g, '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 60);
  return name === '' ? 'chat' : name.toLowerCase();
}

function route<S extends RouteSchema>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/chats/:id/export': typeof exporting;
    'POST /api/chats/import': typeof importing;
  }
}
