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
      group: Type.String({ description: 'The plugin that declares it.' }),
      label: Type.String(),
      description: Type.String(),
      words: Type.Optional(Type.String({ description: 'Further words by which people look for it.' })),
      rank: Type.Optional(Type.Number({ description: 'It is among what people look for first; smaller ones come first.' })),
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
      warning: Type.Optional(Type.String({ description: 'The fault of the set value, and the value in its place.' })),
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
    { ...strict, description: 'Saved, and in force once no turn runs.' },
  ),
);

/** Handling of a running turn, as for messages: reject or queue. */
export const whenBusy = Type.Optional(
  Type.Union([Type.Literal('reject'), Type.Literal('queue')], {
    description: 'While a turn runs: `reject` (409) when left out; `queue` saves the change, answers 202, and puts it in force once no turn runs.',
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
    isFixed: Type.Optional(Type.Literal(true, { description: 'It cannot be switched off.' })),
    isolation: Type.Optional(oneOf(['child'], { description: "It runs in a child process; left out if it runs in the server's process." })),
    chosen: Type.Optional(oneOf(['process', 'child'], { description: 'The place that a person chose; it wins over the manifest.' })),
    capabilities: Type.Optional(Type.Array(Type.String(), { description: 'Capabilities of an isolated plugin beyond its own folder, one sentence each.' })),
    asks: Type.Optional(Type.Array(Type.String(), { description: 'Capabilities that are not approved yet; the plugin runs once they are.' })),
    bootMs: Type.Number(),
    adds: Type.Array(Type.String()),
    pending: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'It is switched so once no turn runs.' })),
    runningTaps: Type.Optional(
      Type.Array(Type.Object({ hook: Type.String(), ms: Type.Integer(), isLeft: Type.Boolean({ description: 'No caller waits for it any more.' }) }, strict), {
        description: 'Its taps of hooks that have begun and not ended, with the milliseconds since.',
      }),
    ),
    warnings: Type.Optional(Type.Array(Type.String(), { description: 'Problems that do not keep it from running.' })),
  },
  strict,
);

/** An `error` event in the form stored for later readers. */
export const faultRow = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  source: Type.String(),
  plugin: Type.Optional(Type.String()),
  code: Type.String(),
  message: Type.String(),
});
