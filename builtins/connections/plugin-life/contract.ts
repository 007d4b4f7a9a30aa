// The life of a third-party plugin: created, tested, installed with a lock file, updated, audited and removed.
import type { Disposable } from 'agent-harness/kernel';

/** A file of a plugin as it has to be. */
export interface FileRow {
  /** Relative to the plugin's folder, with `/`. */
  readonly path: string;
  /** In hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** What was installed, and what the person agreed to. */
export interface LockRow {
  /** Where an update looks: `npm:name`, `git:address`, an address of an archive, or a path. */
  readonly source: string;
  /** Exactly what was taken: a version, a commit, an address. */
  readonly resolved: string;
  readonly version: string;
  readonly description: string;
  /** Of all files together. */
  readonly digest: string;
  readonly files: readonly FileRow[];
  readonly isolation: 'process' | 'child';
  /** As its manifest said. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly services: readonly string[];
  /** ISO 8601, where the source says so. */
  readonly published?: string;
  readonly installedAt: string;
  /** Of the version before, as long as its folder is being replaced. */
  readonly before?: readonly FileRow[];
}

/** `plugins.lock.json` in the home folder. */
export interface PluginLock {
  readonly lockVersion: 1;
  readonly plugins: Readonly<Record<string, LockRow>>;
}

/** What a source has, looked at and not yet installed. */
export interface PluginOffer {
  /** For {@link PluginLife.install}, for a while. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly source: string;
  readonly resolved: string;
  /** What the answer counts for: SHA-256 of all files together. */
  readonly digest: string;
  readonly isolation: 'process' | 'child';
  /** What it can do, a sentence each. */
  readonly needs: readonly string[];
  /** Of `needs`, what the installed version could not. */
  readonly grown: readonly string[];
  readonly files: number;
  /** Of its code. */
  readonly bytes: number;
  /** What a careful reader looks at first, a sentence each. */
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

/** What was made of TypeScript. */
export interface BuiltFiles {
  /** Relative to the folder. */
  readonly made: readonly string[];
  /** `file` is `path:line:column`, absolute. */
  readonly faults: readonly { readonly file: string; readonly message: string }[];
}

/** All reject with an error with a code and what to do. */
export interface PluginLife extends Disposable {
  /**
   * Makes a folder with a plugin that works and a test. Answers the paths of its files.
   * @param options `dir`: where the folder goes; the plugin folder when left out
   */
  create(name: string, options: { readonly dir?: string; readonly isTypeScript: boolean }): Promise<readonly string[]>;
  /** Makes what runs of a plugin's TypeScript, each file beside its source; types are taken out and not checked. @param path of its folder or file, absolute */
  build(path: string): Promise<BuiltFiles>;
  /** Runs the tests beside a plugin against real servers without a network. Answers whether all passed. @param named path of its folder or file, or its name in the plugin folder */
  test(named: string, options: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void }): Promise<boolean>;
  /**
   * Fetches a plugin and looks at it where it can do no harm; nothing of it is installed.
   * @param source path of an archive or a folder, `npm:name@version`, `git:address#branch`, address of an archive; of an installed plugin its name
   */
  look(source: string, options: { readonly noCoolDown?: boolean; readonly signal?: AbortSignal }): Promise<PluginOffer>;
  /** Installs exactly what was looked at. @param digest what the person agreed to */
  install(id: string, digest: string): Promise<LockRow>;
  /** What was installed. */
  installed(): Promise<PluginLock['plugins']>;
  audit(): Promise<readonly AuditRow[]>;
  /**
   * Removes an installed plugin, its row, its settings and what was kept of it. Of any other that is not at work, also of the product, what it kept in
   * its data folder, where that is said. Answers what is gone, a path or sentence each.
   */
  remove(name: string, options: { readonly withData: boolean }): Promise<readonly string[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    pluginLife: PluginLife;
  }
}
