// Knows when cards moved because somebody else decided, or show something else now: a press right then may be meant for what was there.
import type { Approval } from 'agent-harness/client';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Longer than it takes to notice the change. */
const settleMs = 600;

export interface Steady {
  readonly isSteady: () => boolean;
  /** The same for what is drawn: what would not take a press now is shown so. */
  readonly isSettling: boolean;
  /** That one goes because of a press here. */
  readonly expectGone: (id: string) => void;
}

const idOf = (shown: string): string => shown.split('/')[0] ?? '';

/** Names a card with what it shows of the call's effects, which may come later. */
export function shownId({
  approvalId,
  rehearsal,
}: Pick<Approval, 'approvalId'> & { readonly rehearsal?: { readonly id?: string; readonly state: string } }): string {
  return rehearsal === undefined ? approvalId : `${approvalId}/${rehearsal.id ?? rehearsal.state}`;
}

/** @param ids of what is shown, in order, separated by spaces */
export function useSteady(ids: string): Steady {
  const before = useRef('');
  const expected = useRef<readonly string[]>([]);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const [isSettling, setSettling] = useState(false);
  useLayoutEffect(() => {
    const now = ids.split(' ');
    const gone = before.current.split(' ').filter((id) => id !== '' && !now.includes(id));
    if (gone.some((id) => !expected.current.includes(idOf(id)))) {
      movedAt.current = performance.now();
      setSettling(true);
    }
    expected.current = expected.current.filter((id) => !gone.some((one) => idOf(one) === id));
    before.current = ids;
  }, [ids]);
  useLayoutEffect(() => {
    if (!isSettling) return;
    const timer = setTimeout(() => setSettling(false), movedAt.current + settleMs + 1 - performance.now());
    return () => clearTimeout(timer);
  }, [isSettling, ids]);
  return {
    isSteady: useCallback(() => performance.now() - movedAt.current >= settleMs, []),
    isSettling,
    expectGone: useCallback((id: string) => (expected.current = [...expected.current, id]), []),
  };
}
