// Registers the routes of settings, plugins and configuration.
import * as Type from 'typebox';
import type { PluginReport, Registry } from 'agent-harness/kernel';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import { configReplySchema, type Caller, type ConfigReply } from './config-reply.ts';
import type { PluginTrust, Settings } from './contract.ts';
import type { OwnedSettings } from './settings-service.ts';
import { faultRow, patchBody, pluginRow, settingsReply, whenBusy } from './schemas.ts';
import type { manifest } from './manifest.ts';

export interface RouteParts {
  readonly registry: Registry<typeof manifest>;
  readonly settings: Settings & Pick<OwnedSettings, 'pending'>;
  readonly buildConfig: (caller: Caller) => Promise<ConfigReply>;
}

const strict = { additionalProperties: false } as const;

const putPluginsSchema = {
  params: Type.Object({ name: Type.String({ maxLength: 100 }) }),
  body: Type.Object({ disabled: Type.Boolean(), whenBusy }, strict),
  reply: Type.Object({ ok: Type.Literal(true), plugin: pluginRow, pending: Type.Optional(Type.Literal(true)) }, strict),
};

const putPluginsTrustSchema = {
  params: Type.Object({ name: Type.String({ maxLength: 100 }) }),
  body: Type.Object(
    {
      isolation: Type.Optional(
        Type.Union([Type.Literal('process'), Type.Literal('child'), Type.Null()], {
          description: 'The process that it runs in; `null`: as its manifest says, else in a child process if it was installed, else in the process.',
        }),
      ),
      asks: Type.Optional(
        Type.Array(Type.String({ maxLength: 2_000 }), {
          maxItems: 200,
          description: 'The approved sentences: all that are requested now, as they were shown.',
        }),
      ),
      whenBusy,
    },
    { ...strict, minProperties: 1 },
  ),
  reply: Type.Object({ ok: Type.Literal(true), plugin: pluginRow, pending: Type.Optional(Type.Literal(true)) }, strict),
};

const postPluginsReloadSchema = {
  body: Type.Object({ whenBusy }, strict),
  reply: Type.Object({ ok: Type.Literal(true), plugins: Type.Array(pluginRow), pending: Type.Optional(Type.Literal(true)) }, strict),
};

const readPluginsSchema = {
  reply: Type.Object(
    {
      plugins: Type.Array(pluginRow),
      errors: Type.Array(faultRow, { description: 'Newest last, 100 at most.' }),
      isLoading: Type.Boolean({ description: 'Further plugins are being loaded.' }),
    },
    strict,
  ),
};

const putSettingsSchema = {
  body: patchBody,
  reply: Type.Object(
    {
      ok: Type.Literal(true),
      applied: Type.Array(Type.String()),
      restartNeeded: Type.Array(Type.String()),
      pending: Type.Optional(Type.Array(Type.String(), { description: 'Saved, and in force once no turn runs.' })),
    },
    strict,
  ),
};

export function settingsRoutes({ registry, settings, buildConfig }: RouteParts): Route<never>[] {
  const trust = (name: string): ReturnType<PluginTrust['of']> | undefined => registry.services.userPlugins?.trust.of(name);
  const row = (plugin: PluginReport): Type.Static<typeof pluginRow> => toRow(plugin, settings, trust(plugin.name));
  return [
    route({
      key: 'GET /api/config',
      summary: 'Returns the initial data of a client.',
      tag: 'config',
      permission: 'server.read',
      auth: 'open',
      waitsForReady: true,
      takesSections: true,
      schema: { reply: configReplySchema },
      async handle({ principal, isLocal }) {
        if (!principal && !isLocal) throw registry.error('UNAUTHORIZED');
        return buildConfig({ isLocal, principal });
      },
    }),
    route({
      key: 'GET /api/settings',
      summary: 'Tabs, fields with their values, and the provider; never a key.',
      tag: 'settings',
      permission: 'settings.read',
      schema: { reply: settingsReply },
      handle: () => settings.read(),
    }),
    route({
      key: 'PUT /api/settings',
      command: 'change_settings',
      summary: 'Changes preferences, all or nothing; null removes one.',
      tag: 'settings',
      schema: putSettingsSchema,
      isPending: (reply) => 'pending' in reply,
      handle: async ({ body: { whenBusy, ...patch } }) => ({ ok: true as const, ...(await settings.patch(patch, whenBusy)) }),
    }),
    route({
      key: 'GET /api/plugins',
      summary: 'Every plugin with its state, why it is in that state, and what it adds; and the newest faults of anything.',
      tag: 'plugins',
      permission: 'server.manage',
      schema: readPluginsSchema,
      handle() {
        const { plugins, isLoading } = registry.services.kernel.report();
        return { plugins: plugins.map(row), errors: readFaults(registry), isLoading };
      },
    }),
    route({
      key: 'POST /api/plugins/reload',
      summary: "Reads the folder of the person's own plugins again, without a restart.",
      tag: 'plugins',
      schema: postPluginsReloadSchema,
      isPending: (reply) => 'pending' in reply,
      async handle({ body }) {
        const { plugins, isPending } = await settings.reloadPlugins(body.whenBusy);
        return { ok: true as const, plugins: plugins.map(row), ...(isPending ? { pending: true as const } : {}) };
      },
    }),
    route({
      key: 'PUT /api/plugins/:name/trust',
      summary: 'Sets the process of a third-party plugin, approves the capabilities that it requests, and loads it again.',
      tag: 'plugins',
      schema: putPluginsTrustSchema,
      isPending: (reply) => 'pending' in reply,
      async handle({ params, body: { isolation, asks, whenBusy: how } }) {
        const now = trust(params.name)?.asks ?? [];
        // The approved requests must equal the requests that the user saw.
        if (asks && !(asks.length === now.length && asks.every((one) => now.includes(one)))) {
          throw registry.error('INVALID_REQUEST', { why: `'${params.name}' asks for something else now: ${now.join(' ') || 'nothing'}` });
        }
        const decision = { ...(isolation === undefined ? {} : { isolation }), ...(asks ? { agree: true as const } : {}) };
        const { plugin, isPending } = await settings.trustPlugin(params.name, decision, how);
        return { ok: true as const, plugin: row(plugin), ...(isPending ? { pending: true as const } : {}) };
      },
    }),
    route({
      key: 'PUT /api/plugins/:name',
      summary: 'Switches a plugin off or on, now and for later starts.',
      tag: 'plugins',
      schema: putPluginsSchema,
      isPending: (reply) => 'pending' in reply,
      async handle({ params, body }) {
        const { plugin, isPending } = await settings.switchPlugin(params.name, body, body.whenBusy);
        return { ok: true as const, plugin: row(plugin), ...(isPending ? { pending: true as const } : {}) };
      },
    }),
  ];
}

function readFaults({ services: { eventLog } }: Registry<typeof manifest>): Type.Static<typeof faultRow>[] {
  const events = eventLog?.newest().map((frame) => JSON.parse(frame.json) as Type.Static<typeof faultRow> & { readonly kind: string }) ?? [];
  return events.filter((event) => event.kind === 'error');
}

/** Subscriptions and clean-ups are internal; the other registrations are the plugin's contributions. */
function toRow(
  { name, origin, state, reason, entitlement, isFixed, isolation, bootMs, adds, runningTaps, warnings }: PluginReport,
  settings: RouteParts['settings'],
  trust: ReturnType<PluginTrust['of']> | undefined,
): Type.Static<typeof pluginRow> {
  const waiting = settings.pending().plugins.find((one) => one.name === name);
  return {
    name,
    origin,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(entitlement === undefined ? {} : { entitlement }),
    ...(isFixed ? { isFixed } : {}),
    ...(isolation === undefined ? {} : { isolation: 'child' as const }),
    ...(trust?.chosen === undefined ? {} : { chosen: trust.chosen }),
    ...(trust && trust.capabilities.length > 0 ? { capabilities: [...trust.capabilities] } : {}),
    ...(trust && trust.asks.length > 0 ? { asks: [...trust.asks] } : {}),
    bootMs: Math.round(bootMs * 10) / 10,
    adds: adds.filter((label) => !label.startsWith('on:') && !label.startsWith('defer:')),
    ...(waiting ? { pending: waiting.disabled ? ('off' as const) : ('on' as const) } : {}),
    ...(runningTaps.length === 0 ? {} : { runningTaps: [...runningTaps] }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

/** Links the handler's types to the schemas. */
function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/config': { reply: typeof configReplySchema };
    'GET /api/settings': { reply: typeof settingsReply };
    'PUT /api/settings': typeof putSettingsSchema;
    'GET /api/plugins': typeof readPluginsSchema;
    'POST /api/plugins/reload': typeof postPluginsReloadSchema;
    'PUT /api/plugins/:name/trust': typeof putPluginsTrustSchema;
    'PUT /api/plugins/:name': typeof putPluginsSchema;
  }
}
