// What a distribution is.
import type { PluginSource } from 'agent-harness/kernel';

/** A product name and a list of plugins. */
export interface Distribution {
  /** The command's name in lower case; home folder, header, meta tag and the `APP_`-like variables derive from it. */
  readonly name: string;
  readonly title: string;
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
