// Detects that cards moved or changed without a local action. A press right afterwards may be meant for the previous state.
import type { Approval } from 'agent-harness/client';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Time for the user to notice the change, in milliseconds. */
const settleMs = 600;

export interface Steady {
  readonly isSteady: () => boolean;
  /** The same state for rendering: buttons that would ignore a press are shown as disabled. */
  readonly isSettling: boolean;
  /** Announces that a card will disappear because of a local action. */
  readonly expectGone: (id: string) => void;
}

const idOf = (shown: string): string => shown.split('/')[0] ?? '';

/** Identifies a card together with its displayed effects, which may arrive later. */
export function shownId({
  approvalId,
  rehearsal,
}: Pick<Approval, 'approvalId'> & { readonly rehearsal?: { readonly id?: string; readonly state: string } }): string {
  return rehearsal === undefined ? approvalId : `${approvalId}/${rehearsal.id ?? rehearsal.state}`;
}

/** @param ids ids of the shown items, in order, separated by spaces */
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
