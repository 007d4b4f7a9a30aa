// What a distribution is.
import type { PluginSource } from 'agent-harness/kernel';

/** A distribution that another one's command runs, too. */
export interface ProgramEntry {
  /** One sentence for the help. */
  readonly summary: string;
  load(): Promise<Distribution>;
}

/** A product name and a list of plugins. */
export interface Distribution {
  /** The command's name in lower case; home folder, header, meta tag and the `APP_`-like variables derive from it. */
  readonly name: string;
  readonly title: string;
  /** What people type to run it; the name when left out. */
  readonly command?: string;
  /** Folder in the person's own where it keeps everything, unless `<NAME>_HOME` says another; `.<name>` when left out. */
  readonly homeFolder?: string;
  /** Variable → text that holds where nobody set it. @param environment of the process */
  readonly defaults?: (environment: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, string>>;
  /** Variable → the one that people set in its place, where `defaults` makes it from another. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Other distributions that the same command runs, by their first word: `app control-plane …`. They are imported when they are asked for. */
  readonly programs?: Readonly<Record<string, ProgramEntry>>;
  /**
   * Names of the platform plugins to load; `stockPlatform` when left out. What is left out may come from `sources`, with the origin
   * `platform` and under the services of the one it replaces. Where one misses a service, opening rejects with `KRN_ERR_PLUGIN_PLATFORM`.
   */
  readonly platform?: readonly string[];
  /** Names of the built-ins to load; `stockBuiltins` when left out. The others are not even imported. */
  readonly builtins?: readonly string[];
  /** Further plugins of the distribution itself. */
  readonly sources?: readonly PluginSource[];
}
