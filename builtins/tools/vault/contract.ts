// The vault: a folder of markdown notes that people keep, and in it a folder of notes that the program keeps.

/** Where a note belongs to: the chat and turn that it came from. */
export interface NoteOrigin {
  readonly chatId: string;
  readonly turnId: string;
}

/** A note that the program keeps by itself, without a tool call. */
export interface KeptNote {
  /** Relative to the vault, with `/`, under `agent/`, ending in `.md`. */
  readonly path: string;
  /** `made_by`, `created` and `updated` are added. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Markdown. */
  readonly body: string;
  /** How {@link Events.vault_activity} names it. */
  readonly action: VaultAction;
}

export type VaultAction = 'search' | 'read' | 'links' | 'create' | 'append' | 'replace' | 'auto_write' | 'skip_duplicate' | 'skip_unlinked' | 'episode';

export interface Vault {
  /** A vault is set. Without one nothing can be kept. */
  readonly isOn: boolean;
  /**
   * Resolves when the note is on disk. A note of ours is replaced; one that a person made or changed never is. Rejects
   * with `VAULT_ERR_NOT_WRITTEN`.
   */
  keep(note: KeptNote, origin: NoteOrigin): Promise<{ readonly path: string }>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    vault: Vault;
  }
  interface Events {
    /** `path` is relative to the vault; a search has none. `count`: how often this was done since the start. */
    vault_activity: NoteOrigin & { readonly action: VaultAction; readonly path?: string; readonly count: number };
  }
}
