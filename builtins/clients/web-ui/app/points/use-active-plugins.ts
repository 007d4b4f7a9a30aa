// The names of the plugins that do their work, for components.
import { useClient, useStore } from '../kit/hooks.ts';
import { activePluginsOf } from './active-plugins.ts';

/** None until the server said so. */
export function useActivePlugins(): ReadonlySet<string> {
  return useStore(activePluginsOf(useClient()));
}
