// Defines the type of a distribution.
import type { PluginSource } from 'agent-harness/kernel';

/** A distribution that runs under another one's command. */
export interface ProgramEntry {
  /** One sentence for the help. */
  readonly summary: string;
  load(): Promise<Distribution>;
}

/** A product name and a list of plugins. */
export interface Distribution {
  /** Command name in lower case; home folder, header, meta tag and variables like `APP_` derive from it. */
  readonly name: string;
  readonly title: string;
  /** Command that users type; default: the name. */
  readonly command?: string;
  /** Folder in the user's home folder, unless `<NAME>_HOME` sets another one; default: `.<name>`. */
  readonly homeFolder?: string;
  /** Default texts by variable. @param environment environment of the process */
  readonly defaults?: (environment: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, string>>;
  /** Variables that users set instead, by the variable that `defaults` derives from them. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Other distributions that the same command runs, by their first argument: `app control-plane …`. Imported on demand. */
  readonly programs?: Readonly<Record<string, ProgramEntry>>;
  /**
   * Names of the platform plugins to load; default: `stockPlatform`. `sources` may replace the others, with the origin
   * `platform` and the same services. If a plugin lacks a service, opening rejects with `KRN_ERR_PLUGIN_PLATFORM`.
   */
  readonly platform?: readonly string[];
  /** Names of the built-ins to load; default: `stockBuiltins`. Others are not imported. */
  readonly builtins?: readonly string[];
  /** Additional plugins of the distribution. */
  readonly sources?: readonly PluginSource[];
}
