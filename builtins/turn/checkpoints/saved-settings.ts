// Exposes saved settings as undoable state.
import { hasCode } from '#lib/errors';
import type { Settings } from 'agent-harness/plugins/settings';
import type { Undoable } from './contract.ts';

const modeKey = 'provider.inferenceMode';

/** `undoable` with the names of variables as keys. */
export function savedSettings(settings: Settings): { readonly undoable: Undoable; withoutSecrets(keys: readonly string[]): Promise<readonly string[]> } {
  /** Changes waiting for the end of a turn are already saved. */
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
          // Its plugin is gone, or the value is imposed.
          if (hasCode(fault, 'SETTINGS_ERR_SETTING_UNKNOWN', 'SETTINGS_ERR_SETTING_LOCKED')) return false;
          throw fault;
        }
      },
    },
    /** Secrets are never stored here. */
    async withoutSecrets(keys) {
      const { fields } = await settings.read();
      const secret = new Set(fields.filter(({ sensitive }) => sensitive).map(({ key }) => key));
      return keys.filter((key) => !secret.has(key));
    },
  };
}
