// Provides the names of the active plugins to components.
import { useClient, useStore } from '../kit/hooks.ts';
import { activePluginsOf } from './active-plugins.ts';

/** Returns the names of the active plugins; until the server has responded, only those that provide a sign-in method. */
export function useActivePlugins(): ReadonlySet<string> {
  return useStore(activePluginsOf(useClient()));
}
