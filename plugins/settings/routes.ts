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
          description:
            'Isolation of the plugin. `null`: the one in its manifest; without one, a child process for an installed plugin and the server process for others.',
        }),
      ),
      asks: Type.Optional(
        Type.Array(Type.String({ maxLength: 2_000 }), {
          maxItems: 200,
          description: 'The capabilities that the user approves: all that the plugin currently requests, with the displayed texts.',
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
      errors: Type.Array(faultRow, { description: 'The newest faults, newest last, at most 100.' }),
      isLoading: Type.Boolean({ description: 'Whether more plugins are being loaded.' }),
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
      pending: Type.Optional(Type.Array(Type.String(), { description: 'Variables whose change is saved and is applied when no turn runs.' })),
    },
    strict,
  ),
};

export function settingsRoutes(parts: RouteParts): Route<never>[] {
  return [...valueRoutes(parts), ...pluginRoutes(parts)];
}

function valueRoutes({ registry, settings, buildConfig }: RouteParts): Route<never>[] {
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
      summary: 'Returns the settings tabs, the fields with their values, and the provider, without keys.',
      tag: 'settings',
      permission: 'settings.read',
      schema: { reply: settingsReply },
      handle: () => settings.read(),
    }),
    route({
      key: 'PUT /api/settings',
      command: 'change_settings',
      summary: 'Changes preferences, all or none. The value `null` resets a setting.',
      tag: 'settings',
      schema: putSettingsSchema,
      isPending: (reply) => 'pending' in reply,
      handle: async ({ body: { whenBusy, ...patch } }) => ({ ok: true as const, ...(await settings.patch(patch, whenBusy)) }),
    }),
  ];
}

function pluginRoutes({ registry, settings }: RouteParts): Route<never>[] {
  const trust = (name: string): ReturnType<PluginTrust['of']> | undefined => registry.services.userPlugins?.trust.of(name);
  const row = (plugin: PluginReport): Type.Static<typeof pluginRow> => toRow(plugin, settings, trust(plugin.name));
  return [
    route({
      key: 'GET /api/plugins',
      summary: 'Lists the plugins with their state, its reason and their contributions, and the newest faults.',
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
      summary: "Reloads the folder of the user's own plugins without a restart.",
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
      summary: 'Sets the isolation of a third-party plugin, or approves the capabilities that it requests, and reloads it.',
      tag: 'plugins',
      schema: putPluginsTrustSchema,
      isPending: (reply) => 'pending' in reply,
      async handle({ params, body: { isolation, asks, whenBusy: how } }) {
        const now = trust(params.name)?.asks ?? [];
        // The approved requests must equal the requests that the user saw.
        if (asks && !(asks.length === now.length && asks.every((one) => now.includes(one)))) {
          throw registry.error('INVALID_REQUEST', { why: `the requested capabilities of '${params.name}' have changed: ${now.join(' ') || 'none'}` });
        }
        const decision = { ...(isolation === undefined ? {} : { isolation }), ...(asks ? { agree: true as const } : {}) };
        const { plugin, isPending } = await settings.trustPlugin(params.name, decision, how);
        return { ok: true as const, plugin: row(plugin), ...(isPending ? { pending: true as const } : {}) };
      },
    }),
    route({
      key: 'PUT /api/plugins/:name',
      summary: 'Disables or enables a plugin, permanently.',
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

/** Converts a row of the report. Omits subscriptions and clean-ups from the contributions, because they are internal. */
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

/** Returns the route unchanged; only links the types of the handler to the schemas. */
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
