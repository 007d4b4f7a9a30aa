// Serves the HTTP routes of prompt templates: lists all templates, and creates, changes and deletes the user's own.
import * as Type from 'typebox';
import type { CommandFile } from '#lib/command-file';
import type { Route } from 'agent-harness/plugins/http';
import type { LiveTemplates } from './live-templates.ts';
import type { TemplateOffers } from './offers.ts';

export interface TemplateRouteParts {
  templates(): Promise<LiveTemplates>;
  /** Updates the contributed commands. */
  refresh(workspaceRoot?: string): Promise<void>;
  readonly offers: Pick<TemplateOffers, 'commandOf'>;
  workspaceOf(chatId?: string): Promise<string>;
  readonly errors: { exists(name: string): Error; missing(name: string): Error };
}

const strict = { additionalProperties: false } as const;
const name = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$', description: 'Name of the file, without `.md`, and of the command.' });
const template = Type.Object({
  name: Type.String(),
  origin: Type.Union([Type.Literal('own'), Type.Literal('workspace')]),
  path: Type.String({ description: 'Path relative to the home folder or to the workspace.' }),
  description: Type.String(),
  argumentHint: Type.Optional(Type.String({ description: 'Names of the placeholders, such as `[file] [search text]`.' })),
  text: Type.String(),
  command: Type.Optional(Type.String({ description: 'Name of the command without the slash; omitted if the name is already used.' })),
});
const listing = {
  query: Type.Object({ chatId: Type.Optional(Type.String({ description: 'Chat whose workspace templates are included; default: the active chat.' })) }, strict),
  reply: Type.Object({
    templates: Type.Array(template),
    leftOut: Type.Array(Type.String({ description: 'Files that are not valid templates, with the reason.' })),
  }),
};
const writing = {
  params: Type.Object({ name }),
  body: Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: 48_000, pattern: '\\S', description: 'Text for the model; `$1` … and `$ARGUMENTS` are placeholders.' }),
      description: Type.Optional(Type.String({ maxLength: 200 })),
      argumentHint: Type.Optional(Type.String({ maxLength: 100 })),
      from: Type.Optional(name),
      isNew: Type.Optional(Type.Boolean({ description: 'Whether to reject the request if a template with that name exists.' })),
    },
    strict,
  ),
  reply: Type.Object({ ok: Type.Literal(true) }),
};
const removing = { params: Type.Object({ name }), reply: Type.Object({ ok: Type.Literal(true) }) };

export function createTemplateRoutes(parts: TemplateRouteParts): [Route<typeof listing>, Route<typeof writing>, Route<typeof removing>] {
  const { templates, refresh, offers, workspaceOf, errors } = parts;

  function rowOf(origin: 'own' | 'workspace', { name: called, path, summary, usage, text }: CommandFile, workspaceRoot?: string) {
    const command = offers.commandOf(workspaceRoot, path);
    return {
      ...{ name: called, origin, path, description: summary, text },
      ...(usage === undefined ? {} : { argumentHint: usage }),
      ...(command === undefined ? {} : { command }),
    };
  }

  return [
    {
      key: 'GET /api/prompts',
      summary: 'Lists the prompt templates of a chat: those of the user, and those of a trusted workspace.',
      tag: 'commands',
      permission: 'chats.write',
      schema: listing,
      async handle({ query: { chatId } }) {
        const workspaceRoot = await workspaceOf(chatId);
        await refresh(workspaceRoot);
        const live = await templates();
        const own = await live.own();
        const theirs = await live.trusted(workspaceRoot);
        return {
          templates: [...own.templates.map((one) => rowOf('own', one)), ...(theirs?.templates ?? []).map((one) => rowOf('workspace', one, workspaceRoot))],
          leftOut: [...own.leftOut, ...(theirs?.leftOut ?? [])],
        };
      },
    },
    {
      key: 'PUT /api/prompts/:name',
      summary: 'Creates, changes or renames a prompt template of the user.',
      tag: 'commands',
      permission: 'chats.manage',
      schema: writing,
      async handle({ params, body }) {
        const came = await (await templates()).write(params.name, body);
        if (came === 'exists') throw errors.exists(params.name);
        if (came === 'missing') throw errors.missing(body.from ?? params.name);
        await refresh();
        return { ok: true };
      },
    },
    {
      key: 'DELETE /api/prompts/:name',
      summary: 'Deletes a prompt template of the user.',
      tag: 'commands',
      permission: 'chats.manage',
      schema: removing,
      async handle({ params }) {
        if (!(await (await templates()).remove(params.name))) throw errors.missing(params.name);
        await refresh();
        return { ok: true };
      },
    },
  ];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/prompts': typeof listing;
    'PUT /api/prompts/:name': typeof writing;
    'DELETE /api/prompts/:name': typeof removing;
  }
}
