// Defines the type of a distribution: a product name and its plugins.
import type { PluginSource } from 'agent-harness/kernel';

/** A distribution that runs as a subcommand of another distribution's command. */
export interface ProgramEntry {
  /** Summary for the help, as one sentence. */
  readonly summary: string;
  load(): Promise<Distribution>;
}

export interface Distribution {
  /** Command name in lower case. The home folder, a header, a meta tag, and the prefix of variables (such as `APP_`) are derived from it. */
  readonly name: string;
  readonly title: string;
  /** Command that users enter; default: the name. */
  readonly command?: string;
  /** Name of the folder in the user's home folder, unless `<NAME>_HOME` sets another path; default: `.<name>`. */
  readonly homeFolder?: string;
  /** Returns default values by variable. @param environment environment of the process */
  readonly defaults?: (environment: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, string>>;
  /** Maps each variable that `defaults` derives to the variable that users set to change it. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Other distributions that the same command runs if its first argument names them, such as `app control-plane …`. Imported on demand. */
  readonly programs?: Readonly<Record<string, ProgramEntry>>;
  /**
   * Names of the platform plugins to load; default: `stockPlatform`. `sources` can replace the others with plugins of the origin `platform` that provide the
   * same services. If a service is missing, opening rejects with `KRN_ERR_PLUGIN_PLATFORM`.
   */
  readonly platform?: readonly string[];
  /** Names of the built-ins to load; default: `stockBuiltins`. Other built-ins are not imported. */
  readonly builtins?: readonly string[];
  /** Additional plugins of the distribution. */
  readonly sources?: readonly PluginSource[];
}
