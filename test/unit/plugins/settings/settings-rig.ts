// The settings plugin with stand-ins, and a plugin that declares variables of every kind.
import * as Type from 'typebox';
import type { PluginModule } from 'agent-harness/kernel';
import * as settings from '../../../../plugins/settings/index.ts';
import { plugin, startRig, type Rig, type RigOptions } from './fake-platform.ts';

const described = { description: 'A sentence.' };
const text = { ...described, title: 'A title', tab: 'harness' };

export const declaredVariables = Type.Object({
  model: Type.String({ ...text, default: 'first-model', env: 'AGENT_MODEL', tab: 'models_api', apply: 'live' }),
  baseURL: Type.String({ ...text, default: 'https://models.example', env: 'AGENT_API_BASE_URL', tab: 'models_api', apply: 'live' }),
  key: Type.String({ ...described, default: '', env: 'AGENT_API_KEY', secret: true, apply: 'live' }),
  shownKey: Type.String({ ...text, default: '', env: 'AGENT_SHOWN_KEY', secret: true, apply: 'live' }),
  yolo: Type.Boolean({ ...text, default: false, env: 'AGENT_YOLO', tab: 'safety', apply: 'live', ephemeral: true }),
  timeout: Type.Integer({ ...text, default: 120_000, minimum: 10_000, maximum: 600_000, env: 'AGENT_APPROVAL_TIMEOUT_MS', tab: 'safety', apply: 'live' }),
  share: Type.Number({ ...described, tab: 'harness', default: 0.5, minimum: 0, maximum: 1, env: 'AGENT_SHARE', apply: 'live' }),
  profile: Type.Union([Type.Literal('calm'), Type.Literal('bold')], { ...text, default: 'calm', env: 'AGENT_PROFILE', apply: 'live' }),
  port: Type.Integer({ ...described, default: 1, env: 'PORT', apply: 'restart' }),
  atStart: Type.String({ ...text, default: '', env: 'AGENT_AT_START', apply: 'restart', tab: 'no_such_tab' }),
});

export function startSettingsRig(options: Partial<RigOptions> = {}): Promise<Rig> {
  const variables = plugin('variables', { config: declaredVariables });
  return startRig({ ...options, platform: { settings: settings as unknown as PluginModule<never>, ...variables, ...options.platform } });
}

export function envPatch(env: Record<string, string | null>): { harness: { env: Record<string, string | null> } } {
  return { harness: { env } };
}
