// What this page may do, for components. The server decides by itself; this is only about what is worth showing.
import { permits } from 'agent-harness/lib/permits';
import { useClient, useStore } from '../kit/hooks.ts';
import { rightsOf } from './active-plugins.ts';

/** Whether it may; what needs no permission by name is the owner's. Until the server said so it may, as nearly every page does. */
export function useMay(permission?: string): boolean {
  const rights = useStore(rightsOf(useClient()));
  return rights === undefined || permits(rights, permission);
}

/** As {@link useMay}, and not before the server said so: for what is asked of it unbidden. */
export function useSurelyMay(permission?: string): boolean {
  const rights = useStore(rightsOf(useClient()));
  return rights !== undefined && permits(rights, permission);
}
