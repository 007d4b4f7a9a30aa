// Supplies default values for the reply fields of features that the distribution does not contain; the plugin of a feature overrides them.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type { ReplySection } from 'agent-harness/plugins/http';

export const manifest = { name: 'absent-features', requires: ['http'] } as const satisfies PluginManifest;

const off = Type.Boolean({ default: false });

/** Each key is a field; its value is the default. */
const absent = {
  'GET /api/config': Type.Object({
    personaBootstrapEnabled: off,
    personaBootstrapPending: off,
    personaBootstrapAllowSkip: Type.Boolean({ default: true }),
    personaUiTheme: Type.Unknown({ default: null }),
    personaDisplayLabel: Type.String({ default: '' }),
    heartbeatEnabled: off,
    heartbeatUiStrip: off,
    dictationWebSpeech: off,
    dictationAudioCue: off,
    transcribeEnabled: off,
    ttsEnabled: off,
    ttsVoice: Type.String({ default: 'af_sky' }),
  }),
  'POST /api/session/reset': Type.Object({ personaBootstrapPending: off }),
} as const satisfies Partial<Record<ReplySection['route'], Type.TObject>>;

export function register(registry: Registry<typeof manifest>): void {
  for (const [route, fields] of Object.entries(absent) as [keyof typeof absent, Type.TObject][]) {
    const values = Object.fromEntries(Object.entries(fields.properties).map(([name, field]) => [name, (field as { readonly default?: unknown }).default]));
    registry.add('reply_section', { route, name: 'absent-features', fields, standsIn: true, read: () => values });
  }
}
