// Exposes saved settings to checkpoints as undoable state.
import { hasCode } from '#lib/errors';
import type { Settings } from 'agent-harness/plugins/settings';
import type { Undoable } from './contract.ts';

const modeKey = 'provider.inferenceMode';

/** Creates the undoable state of saved settings; its keys are names of variables. */
export function savedSettings(settings: Settings): { readonly undoable: Undoable; withoutSecrets(keys: readonly string[]): Promise<readonly string[]> } {
  /** Reads a saved value; changes that take effect at the end of a turn are already saved. */
  const read = async (key: string): Promise<string | null> => (await settings.saved([key]))[key] ?? null;

  return {
    undoable: {
      name: 'setting',
      title: 'setting',
      read,
      async restore(key, { from, to }) {
        if ((await read(key)) !== from) return false;
        const patch = key === modeKey ? { provider: { inferenceMode: to as 'byok' | 'managed' | 'auto' } } : { harness: { env: { [key]: to } } };
        try {
          await settings.patch(patch, 'queue');
          return true;
        } catch (fault) {
          // The plugin that owns the setting is missing, or the value is locked.
          if (hasCode(fault, 'SETTINGS_ERR_SETTING_UNKNOWN', 'SETTINGS_ERR_SETTING_LOCKED')) return false;
          throw fault;
        }
      },
    },
    /** Removes secrets, which checkpoints never store. */
    async withoutSecrets(keys) {
      const { fields } = await settings.read();
      const secret = new Set(fields.filter(({ sensitive }) => sensitive).map(({ key }) => key));
      return keys.filter((key) => !secret.has(key));
    },
  };
}
