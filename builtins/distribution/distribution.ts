// Defines the type of a distribution: a product name and its plugins.
import type { PluginSource } from 'agent-harness/kernel';

/** A distribution that runs as a subcommand of another distribution's command. */
export interface ProgramEntry {
  /** Summary for the help, as one sentence. */
  readonly summary: string;
  load(): Promise<Distribution>;
}

/** A product name and a list of plugins. */
export interface Distribution {
  /** Command name in lower case, from which the home folder, header, meta tag and variables such as `APP_` derive. */
  readonly name: string;
  readonly title: string;
  /** Command that users enter; default: the name. */
  readonly command?: string;
  /** Name of the folder in the user's home folder, unless `<NAME>_HOME` sets another one; default: `.<name>`. */
  readonly homeFolder?: string;
  /** Returns default values by variable. @param environment environment of the process */
  readonly defaults?: (environment: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, string>>;
  /** Maps each variable that `defaults` derives to the variable that users set instead. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Other distributions that the same command runs, by their first argument, such as `app control-plane …`. Imported on demand. */
  readonly programs?: Readonly<Record<string, ProgramEntry>>;
  /**
   * Names of the platform plugins to load; default: `stockPlatform`. `sources` may replace the others, with the origin
   * `platform` and the same services. If a plugin lacks a service, opening rejects with `KRN_ERR_PLUGIN_PLATFORM`.
   */
  readonly platform?: readonly string[];
  /** Names of the built-ins to load; default: `stockBuiltins`. Other built-ins are not imported. */
  readonly builtins?: readonly string[];
  /** Additional plugins of the distribution. */
  readonly sources?: readonly PluginSource[];
}
