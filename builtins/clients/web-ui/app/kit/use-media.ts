// Tracks whether a media query matches.
import { useCallback, useSyncExternalStore } from 'react';

/** Below this width, the list of chats is a drawer. */
export const phone = '(max-width: 799px)';
/** Below this width, the composer is one row, and its mode, model and folder are in the header. */
export const oneRow = '(max-width: 599px)';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
