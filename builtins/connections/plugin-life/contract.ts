// Defines the contract of the plugin life cycle: creating, testing, installing with a lock file, updating, auditing and removing third-party plugins.
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

/** A lock file row: the installed version and what the user approved. */
export interface LockRow {
  /** Source of updates: `npm:name`, `git:address`, an address of an archive, or a path. */
  readonly source: string;
  /** Exact origin of the files: a version, a commit, an address. */
  readonly resolved: string;
  readonly version: string;
  readonly description: string;
  /** SHA-256 digest over all files. */
  readonly digest: string;
  readonly files: readonly FileRow[];
  readonly isolation: 'process' | 'child';
  /** Capabilities declared in the manifest. */
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

/** A plugin that was fetched and inspected, but not installed. */
export interface PluginOffer {
  /** Id for {@link PluginLife.install}, valid for a limited time. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly source: string;
  readonly resolved: string;
  /** SHA-256 digest over all files; the user approves this digest. */
  readonly digest: string;
  readonly isolation: 'process' | 'child';
  /** Capabilities, one sentence each. */
  readonly needs: readonly string[];
  /** Capabilities in `needs` that the installed version does not have. */
  readonly grown: readonly string[];
  readonly files: number;
  /** Total size of the plugin's files in bytes. */
  readonly bytes: number;
  /** Findings for the reviewer, one sentence each. */
  readonly notes: readonly string[];
  readonly published?: string;
  /** Version that would be replaced. */
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
  /** Output paths relative to the folder. */
  readonly made: readonly string[];
  /** `file` is an absolute `path:line:column`. */
  readonly faults: readonly { readonly file: string; readonly message: string }[];
}

/** Service for the plugin life cycle. All methods reject with an error that has a code and an instruction. */
export interface PluginLife extends Disposable {
  /**
   * Creates a folder with a working plugin and a test. Resolves with the paths of its files.
   * @param options `dir`: the parent folder, by default the plugin folder
   */
  create(name: string, options: { readonly dir?: string; readonly isTypeScript: boolean }): Promise<readonly string[]>;
  /** Compiles a plugin's TypeScript beside its source; removes types without checking them. @param path absolute path of the folder or file */
  build(path: string): Promise<BuiltFiles>;
  /**
   * Runs a plugin's tests against real servers without a network. Resolves to `true` if all passed.
   * @param named path of the folder or file, or a name in the plugin folder
   */
  test(named: string, options: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void }): Promise<boolean>;
  /**
   * Fetches a plugin and inspects it in isolation, without installing it.
   * @param source path of an archive or a folder, `npm:name@version`, `git:address#branch`, or address of an archive; for an installed plugin, its name
   */
  look(source: string, options: { readonly noCoolDown?: boolean; readonly signal?: AbortSignal }): Promise<PluginOffer>;
  /** Installs exactly the inspected files. @param digest digest that the user approved */
  install(id: string, digest: string): Promise<LockRow>;
  installed(): Promise<PluginLock['plugins']>;
  audit(): Promise<readonly AuditRow[]>;
  /**
   * Removes an installed plugin with its lock file row, settings and stored data. For any other inactive plugin, including a built-in one, removes its data
   * folder if requested. Resolves with a path or sentence for each removed item.
   */
  remove(name: string, options: { readonly withData: boolean }): Promise<readonly string[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    pluginLife: PluginLife;
  }
}
