// Whether a media query holds now.
import { useCallback, useSyncExternalStore } from 'react';

/** Below it the list of chats is a drawer. */
export const phone = '(max-width: 799px)';

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
