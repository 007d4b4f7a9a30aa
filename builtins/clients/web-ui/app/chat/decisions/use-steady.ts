// Knows when cards moved because somebody else decided: a press right then may be meant for the card that was there.
import { useCallback, useLayoutEffect, useRef } from 'react';

/** Longer than it takes to notice the change. */
const settleMs = 600;

export interface Steady {
  readonly isSteady: () => boolean;
  /** That one goes because of a press here. */
  readonly expectGone: (id: string) => void;
}

/** @param ids of what is shown, in order, separated by spaces */
export function useSteady(ids: string): Steady {
  const before = useRef('');
  const expected = useRef<readonly string[]>([]);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    const now = ids.split(' ');
    const gone = before.current.split(' ').filter((id) => id !== '' && !now.includes(id));
    if (gone.some((id) => !expected.current.includes(id))) movedAt.current = performance.now();
    expected.current = expected.current.filter((id) => !gone.includes(id));
    before.current = ids;
  }, [ids]);
  return {
    isSteady: useCallback(() => performance.now() - movedAt.current > settleMs, []),
    expectGone: useCallback((id: string) => (expected.current = [...expected.current, id]), []),
  };
}
