// Asks before the page is left while changes of settings are not saved, wherever they were made from.
import { useEffect } from 'react';
import { useDrafts } from './kept-drafts.ts';

export function useUnsaved(): void {
  const { size } = useDrafts();
  useEffect(() => {
    if (size === 0) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [size]);
}
