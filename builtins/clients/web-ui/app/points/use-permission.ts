// Provides the rights of this page to components. The server enforces the rights; this module only controls what is shown.
import { permits } from '#lib/permits';
import { useClient, useStore } from '../kit/hooks.ts';
import { rightsOf } from './active-plugins.ts';

/**
 * Returns whether this page has the permission; without a permission, whether it has the owner's rights. True until the server has responded, because it is
 * true for nearly every page.
 */
export function usePermission(permission?: string): boolean {
  const rights = useStore(rightsOf(useClient()));
  return rights === undefined || permits(rights, permission);
}

/** Like {@link usePermission}, but returns false until the server has responded, for requests that are sent automatically. */
export function useKnownPermission(permission?: string): boolean {
  const rights = useStore(rightsOf(useClient()));
  return rights !== undefined && permits(rights, permission);
}
