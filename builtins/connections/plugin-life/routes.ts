// Serves the HTTP routes that install, list, remove and audit plugins. Restricted to the owner, because an installed plugin runs with the owner's rights.
import * as Type from 'typebox';
import type { LockRow, PluginLife } from 'agent-harness/builtins/connections/plugin-life';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { Settings } from 'agent-harness/plugins/settings';

const strict = { additionalProperties: false } as const;
const tag = 'plugins';
const texts = Type.Array(Type.String());
const name = Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' });

const offer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  source: Type.String(),
  resolved: Type.String(),
  digest: Type.String({ description: 'SHA-256 digest of all files, to which an approval applies.' }),
  isolation: Type.String(),
  needs: Type.Array(Type.String(), { description: 'Its capabilities, one sentence each.' }),
  grown: Type.Array(Type.String(), { description: 'Capabilities that the installed version lacks.' }),
  files: Type.Integer(),
  bytes: Type.Integer(),
  notes: Type.Array(Type.String(), { description: 'Findings to review first.' }),
  published: Type.Optional(Type.String()),
  installed: Type.Optional(Type.Object({ version: Type.String(), files: Type.Integer(), bytes: Type.Integer(), isSame: Type.Boolean() })),
});
const looking = {
  body: Type.Object(
    {
      source: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Absolute path of an archive or a folder, npm:name@version, git:address#branch, address of an archive; for an installed plugin, its name.',
      }),
      noCoolDown: Type.Optional(Type.Boolean({ description: 'Accepts a version that was published recently.' })),
    },
    strict,
  ),
  reply: offer,
};
const installing = {
  params: Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{24}$' }) }),
  body: Type.Object({ digest: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Digest of the offer that the user approved.' }) }, strict),
  reply: Type.Object({ ok: Type.Literal(true), version: Type.String(), pending: Type.Optional(Type.Literal(true)) }),
};
const listing = {
  reply: Type.Object({
    plugins: Type.Array(
      Type.Object({
        ...{ name: Type.String(), version: Type.String(), description: Type.String(), source: Type.String(), resolved: Type.String() },
        ...{ digest: Type.String(), isolation: Type.String(), installedAt: Type.String() },
      }),
    ),
  }),
};
const auditing = {
  reply: Type.Object({
    plugins: Type.Array(
      Type.Object({
        ...{ name: Type.String(), origin: Type.Union([Type.Literal('installed'), Type.Literal('own')]), version: Type.Optional(Type.String()) },
        isolation: Type.String(),
        findings: Type.Array(Type.Object({ level: Type.Union([Type.Literal('ok'), Type.Literal('note'), Type.Literal('wrong')]), text: Type.String() })),
      }),
    ),
  }),
};
const removing = {
  params: Type.Object({ name }),
  query: Type.Object({ withData: Type.Optional(Type.Boolean({ description: 'Also deletes its data.' })) }, strict),
  reply: Type.Object({ ok: Type.Literal(true), gone: texts }),
};
export function lifeRoutes(life: PluginLife, settings: () => Settings | undefined): Route[] {
  return [
    route({
      key: 'POST /api/plugins/offers',
      summary: 'Fetches a plugin and returns its metadata and capabilities. Nothing is installed.',
      tag,
      schema: looking,
      waitsForReady: true,
      async handle({ body: { source, noCoolDown = false }, signal }) {
        const found = await life.look(source, { noCoolDown, signal });
        return { ...found, needs: [...found.needs], grown: [...found.grown], notes: [...found.notes] };
      },
    }),
    route({
      key: 'POST /api/plugins/offers/:id',
      summary: 'Installs exactly the reviewed files, and loads the plugin when no turn runs.',
      tag,
      schema: installing,
      waitsForReady: true,
      async handle({ params, body }) {
        const { version } = await life.install(params.id, body.digest);
        const isPending = (await settings()?.reloadPlugins('queue'))?.isPending === true;
        return { ok: true as const, version, ...(isPending ? { pending: true as const } : {}) };
      },
    }),
    route({
      key: 'GET /api/plugins/installed',
      summary: 'Lists the installed plugins as in the lock file.',
      tag,
      schema: listing,
      handle: async () => ({ plugins: Object.entries(await life.installed()).map(([one, row]: [string, LockRow]) => ({ ...row, name: one })) }),
    }),
    route({
      key: 'GET /api/plugins/audit',
      summary: 'Compares third-party plugins with their approved state, and reports the Node modules that their code uses.',
      tag,
      schema: auditing,
      waitsForReady: true,
      handle: async () => ({ plugins: [...(await life.audit())].map((row) => ({ ...row, findings: [...row.findings] })) }),
    }),
    route({
      key: 'DELETE /api/plugins/:name',
      summary: 'Removes an installed plugin with its settings, and with its data if requested; for any other plugin that is not running, only its data.',
      tag,
      schema: removing,
      waitsForReady: true,
      handle: async ({ params, query: { withData = false } = {} }) => ({ ok: true as const, gone: [...(await life.remove(params.name, { withData }))] }),
    }),
  ];
}

function route<S extends RouteSchema>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/plugins/offers': typeof looking;
    'POST /api/plugins/offers/:id': typeof installing;
    'GET /api/plugins/installed': typeof listing;
    'GET /api/plugins/audit': typeof auditing;
    'DELETE /api/plugins/:name': typeof removing;
  }
}
