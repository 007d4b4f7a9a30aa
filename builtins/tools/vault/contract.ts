// The contract of the vault: the user's folder of markdown notes, with a subfolder for notes of the program.

/** Origin of a note: its chat and turn. */
export interface NoteOrigin {
  readonly chatId: string;
  readonly turnId: string;
}

/** A note that the program writes without a tool call. */
export interface KeptNote {
  /** Relative to the vault, with `/`, below `agent/`, ending in `.md`. */
  readonly path: string;
  /** `made_by`, `created` and `updated` are added. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Markdown. */
  readonly body: string;
  /** Its name in {@link Events.vault_activity}. */
  readonly action: VaultAction;
}

export type VaultAction = 'search' | 'read' | 'links' | 'create' | 'append' | 'replace' | 'auto_write' | 'skip_duplicate' | 'skip_unlinked' | 'episode';

export interface Vault {
  /** A vault is configured. Without one nothing can be written. */
  readonly isOn: boolean;
  /**
   * Resolves when the note is on disk. Replaces our own notes; never one that the user created or changed. Rejects
   * with `VAULT_ERR_NOT_WRITTEN`.
   */
  keep(note: KeptNote, origin: NoteOrigin): Promise<{ readonly path: string }>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    vault: Vault;
  }
  interface Events {
    /** `path` is relative to the vault; left out for a search. `count`: number of such actions since the start. */
    vault_activity: NoteOrigin & { readonly action: VaultAction; readonly path?: string; readonly count: number };
  }
}
