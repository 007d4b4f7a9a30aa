// Stores the query of the search page in the address, for the Back button and reloading.
import { useEffect, useState } from 'react';
import { useRoute } from '../../kit/hooks.ts';

export interface Query {
  /** As typed. */
  readonly text: string;
  /** Trimmed, and updated after a pause in typing. */
  readonly settled: string;
  readonly setText: (text: string) => void;
}

const settleMs = 250;

export function useQuery(): Query {
  const route = useRoute();
  // Otherwise the address belongs to another page, and this component is about to be unmounted.
  const isHere = route.page === 'search';
  const id = isHere ? (route.id ?? '') : undefined;
  const [text, setText] = useState(id ?? '');
  const [settled, setSettled] = useState(id ?? '');
  const [routed, setRouted] = useState(id);
  // Navigation to another address of this page, such as with the Back button.
  if (id !== undefined && routed !== id) {
    setRouted(id);
    setText(id);
    setSettled(id);
  }

  useEffect(() => {
    if (!isHere) return;
    const timer = setTimeout(() => {
      const next = text.trim();
      setSettled(next);
      setRouted(next);
      const hash = next === '' ? '#/search' : `#/search/${encodeURIComponent(next)}`;
      // Otherwise each letter would be a history entry.
      if (location.hash !== hash) history.replaceState(history.state, '', hash);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [text, isHere]);

  return { text, settled, setText };
}
