// Defines the contract of the vault, the user's folder of Markdown notes with a subfolder for notes that the program writes.

/** Origin of a note: chat and turn. */
export interface NoteOrigin {
  readonly chatId: string;
  readonly turnId: string;
}

/** A note that the program writes without a tool call. */
export interface KeptNote {
  /** Path relative to the vault, with `/`, inside `agent/`, ending in `.md`. */
  readonly path: string;
  /** Front matter; the vault adds `made_by`, `created` and `updated`. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Text of the note in Markdown. */
  readonly body: string;
  /** Name of the action in {@link Events.vault_activity}. */
  readonly action: VaultAction;
}

export type VaultAction = 'search' | 'read' | 'links' | 'create' | 'append' | 'replace' | 'auto_write' | 'skip_duplicate' | 'skip_unlinked' | 'episode';

export interface Vault {
  /** Whether a vault is configured; without one, nothing can be written. */
  readonly isOn: boolean;
  /**
   * Writes a note. Resolves when it is on disk. Replaces only notes that the program wrote, never one that the user created or changed. Rejects with
   * `VAULT_ERR_NOT_WRITTEN`.
   */
  keep(note: KeptNote, origin: NoteOrigin): Promise<{ readonly path: string }>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    vault: Vault;
  }
  interface Events {
    /** Emitted after an action in the vault. `path`: relative to the vault; omitted for a search. `count`: number of such actions since the server started. */
    vault_activity: NoteOrigin & { readonly action: VaultAction; readonly path?: string; readonly count: number };
  }
}
