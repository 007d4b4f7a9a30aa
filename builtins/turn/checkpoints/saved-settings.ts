// What is saved of the settings, as state that an undo puts back.
import { hasCode } from 'agent-harness/lib/errors';
import type { Settings } from 'agent-harness/plugins/settings';
import type { Undoable } from './contract.ts';

const modeKey = 'provider.inferenceMode';

/** `undoable` by the names of variables. */
export function savedSettings(settings: Settings): { readonly undoable: Undoable; withoutSecrets(keys: readonly string[]): Promise<readonly string[]> } {
  /** What waits for the end of a turn is saved already. */
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
          // Its plugin is gone, or somebody above the person says what it is.
          if (hasCode(fault, 'SETTINGS_ERR_SETTING_UNKNOWN', 'SETTINGS_ERR_SETTING_LOCKED')) return false;
          throw fault;
        }
      },
    },
    /** A secret is kept nowhere but where it belongs. */
    async withoutSecrets(keys) {
      const { fields } = await settings.read();
      const secret = new Set(fields.filter(({ sensitive }) => sensitive).map(({ key }) => key));
      return keys.filter((key) => !secret.has(key));
    },
  };
}
