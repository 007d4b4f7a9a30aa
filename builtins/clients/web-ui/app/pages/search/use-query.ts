// The query of the search page: kept in the address, so that Back and a reload find it again.
import { useEffect, useState } from 'react';
import { useRoute } from '../../kit/hooks.ts';

export interface Query {
  /** As typed. */
  readonly text: string;
  /** Trimmed, and settled for a moment. */
  readonly settled: string;
  readonly setText: (text: string) => void;
}

const settleMs = 250;

export function useQuery(): Query {
  const route = useRoute();
  // Elsewhere the address speaks of something else; this page is about to go.
  const isHere = route.page === 'search';
  const id = isHere ? (route.id ?? '') : undefined;
  const [text, setText] = useState(id ?? '');
  const [settled, setSettled] = useState(id ?? '');
  const [routed, setRouted] = useState(id);
  // Somebody went to another address of this page.
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
      // Each letter would be a step of Back otherwise.
      if (location.hash !== hash) history.replaceState(history.state, '', hash);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [text, isHere]);

  return { text, settled, setText };
}
