// Defines the contract of plugin life: creating, testing, installing with a lock file, updating, auditing and removing third-party plugins.
import type { Disposable } from 'agent-harness/kernel';

/** The expected state of a plugin's file. */
export interface FileRow {
  /** Relative to the plugin's folder, with `/`. */
  readonly path: string;
  /** In hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** What was installed, and what the user agreed to. */
export interface LockRow {
  /** Where an update looks: `npm:name`, `git:address`, an address of an archive, or a path. */
  readonly source: string;
  /** Exactly what was fetched: a version, a commit, an address. */
  readonly resolved: string;
  readonly version: string;
  readonly description: string;
  /** Digest of all files together. */
  readonly digest: string;
  readonly files: readonly FileRow[];
  readonly isolation: 'process' | 'child';
  /** As declared in its manifest. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly services: readonly string[];
  /** ISO 8601, if the source provides it. */
  readonly published?: string;
  readonly installedAt: string;
  /** Files of the previous version while its folder is being replaced. */
  readonly before?: readonly FileRow[];
}

/** `plugins.lock.json` in the home folder. */
export interface PluginLock {
  readonly lockVersion: 1;
  readonly plugins: Readonly<Record<string, LockRow>>;
}

/** What a source offers, inspected and not yet installed. */
export interface PluginOffer {
  /** For {@link PluginLife.install}, valid for a limited time. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly source: string;
  readonly resolved: string;
  /** What the user's agreement applies to: SHA-256 of all files together. */
  readonly digest: string;
  readonly isolation: 'process' | 'child';
  /** Its capabilities, one sentence each. */
  readonly needs: readonly string[];
  /** Those of `needs` that the installed version did not have. */
  readonly grown: readonly string[];
  readonly files: number;
  /** Size of its code. */
  readonly bytes: number;
  /** What a reviewer should look at first, one sentence each. */
  readonly notes: readonly string[];
  readonly published?: string;
  /** The version that it would replace. */
  readonly installed?: { readonly version: string; readonly files: number; readonly bytes: number; readonly isSame: boolean };
}

export interface AuditRow {
  readonly name: string;
  readonly origin: 'installed' | 'own';
  readonly version?: string;
  readonly isolation: string;
  readonly findings: readonly { readonly level: 'ok' | 'note' | 'wrong'; readonly text: string }[];
}

/** The result of compiling TypeScript. */
export interface BuiltFiles {
  /** Relative to the folder. */
  readonly made: readonly string[];
  /** `file` is `path:line:column`, absolute. */
  readonly faults: readonly { readonly file: string; readonly message: string }[];
}

/** All methods reject with an error that has a code and says what to do. */
export interface PluginLife extends Disposable {
  /**
   * Creates a folder with a working plugin and a test. Resolves with the paths of its files.
   * @param options `dir`: the parent folder; the plugin folder when left out
   */
  create(name: string, options: { readonly dir?: string; readonly isTypeScript: boolean }): Promise<readonly string[]>;
  /** Compiles a plugin's TypeScript, each file beside its source; types are removed and not checked. @param path of its folder or file, absolute */
  build(path: string): Promise<BuiltFiles>;
  /**
   * Runs the tests beside a plugin against real servers without a network. Resolves with whether all passed. @param named path of its folder or file, or its
   * name in the plugin folder
   */
  test(named: string, options: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void }): Promise<boolean>;
  /**
   * Fetches a plugin and inspects it in isolation; nothing of it is installed.
   * @param source path of an archive or a folder, `npm:name@version`, `git:address#branch`, address of an archive; for an installed plugin its name
   */
  look(source: string, options: { readonly noCoolDown?: boolean; readonly signal?: AbortSignal }): Promise<PluginOffer>;
  /** Installs exactly what was inspected. @param digest what the user agreed to */
  install(id: string, digest: string): Promise<LockRow>;
  /** What was installed. */
  installed(): Promise<PluginLock['plugins']>;
  audit(): Promise<readonly AuditRow[]>;
  /**
   * Removes an installed plugin, its row, its settings and what was stored about it. For any other inactive plugin, also a built-in one, removes its
   * data folder, if that was requested. Resolves with what was removed, a path or sentence each.
   */
  remove(name: string, options: { readonly withData: boolean }): Promise<readonly string[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    pluginLife: PluginLife;
  }
}
