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
  /** The command's name in lower case; home folder, header, meta tag and variables like `APP_` derive from it. */
  readonly name: string;
  readonly title: string;
  /** The command that users type; the name when left out. */
  readonly command?: string;
  /** Its folder in the user's home folder, unless `<NAME>_HOME` sets another; `.<name>` when left out. */
  readonly homeFolder?: string;
  /** Variable → default text. @param environment of the process */
  readonly defaults?: (environment: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, string>>;
  /** Variable → the variable that users set instead, if `defaults` derives one from the other. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Other distributions that the same command runs, by their first argument: `app control-plane …`. Imported on demand. */
  readonly programs?: Readonly<Record<string, ProgramEntry>>;
  /**
   * Names of the platform plugins to load; `stockPlatform` when left out. Others may be replaced by `sources`, with the origin
   * `platform` and the same services. If a plugin lacks a service, opening rejects with `KRN_ERR_PLUGIN_PLATFORM`.
   */
  readonly platform?: readonly string[];
  /** Names of the built-ins to load; `stockBuiltins` when left out. Others are not imported. */
  readonly builtins?: readonly string[];
  /** Additional plugins of the distribution itself. */
  readonly sources?: readonly PluginSource[];
}
