// Emits and counts actions in the vault.
import type { Events } from 'agent-harness/kernel';
import type { NoteOrigin, VaultAction } from 'agent-harness/builtins/tools/vault';

export interface Activity {
  note(action: VaultAction, origin: NoteOrigin, path?: string): void;
  /** Returns one line with the counts; `undefined` if it is disabled, or before the first action. */
  counters(): string | undefined;
}

/** @param settings live values of the settings */
export function createActivity(settings: { readonly observability: boolean }, emit: (payload: Events['vault_activity']) => void): Activity {
  const counts = new Map<VaultAction, number>();
  return {
    note(action, { chatId, turnId }, path) {
      if (!settings.observability) return;
      const count = (counts.get(action) ?? 0) + 1;
      counts.set(action, count);
      emit({ chatId, turnId, action, ...(path === undefined ? {} : { path }), count });
    },
    counters() {
      if (!settings.observability || counts.size === 0) return undefined;
      return [...counts].map(([action, count]) => `${action} ${count}`).join(', ');
    },
  };
}
