// Defines the schemas of the settings and plugin routes.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { PendingChanges, ProviderSummary, SettingField, SettingsPatch, WhenBusy } from './contract.ts';

const strict = { additionalProperties: false } as const;
const inferenceMode = Type.Union([Type.Literal('byok'), Type.Literal('managed'), Type.Literal('auto')]);
const scalar = Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()]);

const field = Type.Unsafe<SettingField>(
  Type.Object(
    {
      key: Type.String(),
      tab: Type.String(),
      group: Type.String({ description: 'Name of the plugin that declares the setting.' }),
      label: Type.String(),
      description: Type.String(),
      words: Type.Optional(Type.String({ description: 'Additional search terms.' })),
      rank: Type.Optional(Type.Number({ description: 'Lists the setting among the first search results; smaller numbers come first.' })),
      kind: oneOf(['boolean', 'integer', 'number', 'string', 'enum']),
      values: Type.Optional(Type.Array(Type.String())),
      minimum: Type.Optional(Type.Number()),
      maximum: Type.Optional(Type.Number()),
      default: scalar,
      value: scalar,
      resetsTo: Type.Optional(scalar),
      source: oneOf(['environment', 'fleet', 'preferences', 'default']),
      locked: Type.Boolean(),
      sensitive: Type.Boolean(),
      restart: Type.Boolean(),
      warning: Type.Optional(Type.String({ description: 'Reason why the set value is invalid, and the value that is used instead.' })),
    },
    strict,
  ),
);

const provider = Type.Unsafe<ProviderSummary>(
  Type.Object({ model: Type.String(), baseURL: Type.String(), apiKeyConfigured: Type.Boolean(), inferenceMode, route: Type.String() }, strict),
);

const pending = Type.Unsafe<PendingChanges>(
  Type.Object(
    {
      env: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
      inferenceMode: Type.Optional(inferenceMode),
      plugins: Type.Array(Type.Object({ name: Type.String(), disabled: Type.Boolean() }, strict)),
      reload: Type.Boolean(),
    },
    { ...strict, description: 'Changes that are saved and are applied when no turn runs.' },
  ),
);

/** Handling of a running turn, as for messages: reject or queue. */
export const whenBusy = Type.Optional(
  Type.Union([Type.Literal('reject'), Type.Literal('queue')], {
    description: 'Handling while a turn runs. `reject` (default): replies 409. `queue`: saves the change, replies 202, and applies it when no turn runs.',
  }),
);

export const settingsReply = Type.Object(
  { tabs: Type.Array(Type.Object({ id: Type.String(), title: Type.String() }, strict)), fields: Type.Array(field), provider, pending },
  strict,
);

export const patchBody = Type.Unsafe<SettingsPatch & { readonly whenBusy?: WhenBusy }>(
  Type.Object(
    {
      whenBusy,
      harness: Type.Optional(
        Type.Object(
          { env: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 16_384 }), Type.Null()]), { maxProperties: 500 })) },
          strict,
        ),
      ),
      provider: Type.Optional(
        Type.Object(
          {
            model: Type.Optional(Type.String({ maxLength: 500 })),
            baseURL: Type.Optional(Type.String({ maxLength: 2_048 })),
            inferenceMode: Type.Optional(inferenceMode),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
);

export const pluginRow = Type.Object(
  {
    name: Type.String(),
    origin: oneOf(['platform', 'builtin', 'bundle', 'user']),
    state: oneOf(['active', 'locked', 'unmet', 'failed', 'disabled']),
    reason: Type.Optional(Type.String()),
    entitlement: Type.Optional(Type.String()),
    isFixed: Type.Optional(Type.Literal(true, { description: 'The plugin cannot be disabled.' })),
    isolation: Type.Optional(oneOf(['child'], { description: "Isolation of the plugin; omitted if it runs in the server's process." })),
    chosen: Type.Optional(oneOf(['process', 'child'], { description: 'Isolation that the user chose, which overrides the manifest.' })),
    capabilities: Type.Optional(Type.Array(Type.String(), { description: 'Capabilities of an isolated plugin beyond its own folder, one sentence each.' })),
    asks: Type.Optional(Type.Array(Type.String(), { description: 'Capabilities that the user has not approved. The plugin runs after the approval.' })),
    bootMs: Type.Number(),
    adds: Type.Array(Type.String()),
    pending: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'State to which the plugin is switched when no turn runs.' })),
    runningTaps: Type.Optional(
      Type.Array(
        Type.Object(
          { hook: Type.String(), ms: Type.Integer(), isLeft: Type.Boolean({ description: 'Whether the caller no longer waits for the tap.' }) },
          strict,
        ),
        {
          description: 'Running taps of the plugin, each with the milliseconds since its start.',
        },
      ),
    ),
    warnings: Type.Optional(Type.Array(Type.String(), { description: 'Faults that do not prevent the plugin from running.' })),
  },
  strict,
);

/** An `error` event in the form that is stored for later readers. */
export const faultRow = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  source: Type.String(),
  plugin: Type.Optional(Type.String()),
  code: Type.String(),
  message: Type.String(),
});
