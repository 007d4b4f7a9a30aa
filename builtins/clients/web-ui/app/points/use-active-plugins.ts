// The names of the plugins that do their work, for components.
import { useClient, useStore } from '../kit/hooks.ts';
import { activePluginsOf } from './active-plugins.ts';

/** Until the server said so only those by which a visitor signs in. */
export function useActivePlugins(): ReadonlySet<string> {
  return useStore(activePluginsOf(useClient()));
}
