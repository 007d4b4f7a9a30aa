// Follows the end of the conversation while it grows, unless the reader went away from it; keeps the reader's place otherwise.
import type { Entry } from 'agent-harness/client';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';

export interface Follow {
  readonly isAway: boolean;
  /** Entries that came since the reader went away. */
  readonly newCount: number;
  onScroll(offset: number): void;
  /** A button in the list was pressed: what unfolds under it must not push it out of sight. */
  onPress(): void;
  /** Something in the list, or the list itself, has another size. */
  onResize(): void;
  jump(): void;
  /** Away from the end, for something further up that the list is about to go to. */
  leave(): void;
}

/** Pixels from the end that still count as the end. */
const near = 48;
/** How long what grows is taken for the work of a press. */
const pressMs = 400;
/** Milliseconds in which the list goes to a place further up: that it was at the end a moment ago is still told after that. */
export const settleMs = 1_500;
/** Milliseconds from a sign of the reader's hand to the movement that it causes. */
const handMs = 1_000;

export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<VirtualizerHandle | null>,
  count: number,
  entries: readonly Entry[],
): Follow {
  const [leftAt, setLeftAt] = useState<string>();
  const isFollowing = useRef(true);
  const lastOffset = useRef(0);
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const last = entries.at(-1);
  const lastId = last?.id;
  const goingUntil = useRef(Number.NEGATIVE_INFINITY);
  const isByHand = useHand(scroller);

  // The first look is at the end. Not by `scrollToIndex`: it goes back to the row that was last then for as long as rows are measured.
  const isFilled = count > 0;
  useLayoutEffect(() => {
    if (isFilled) scrollToEnd(list, scroller);
  }, [isFilled, list, scroller]);

  // Who says something wants to see it, and what is answered.
  const sentId = last?.kind === 'user' && last.state === 'sending' ? last.id : undefined;
  const [seenSentId, setSeenSentId] = useState(sentId);
  if (sentId !== seenSentId) {
    setSeenSentId(sentId);
    if (sentId !== undefined) setLeftAt(undefined);
  }
  useLayoutEffect(() => {
    if (sentId === undefined) return;
    isFollowing.current = true;
    scrollToEnd(list, scroller);
  }, [sentId, list, scroller]);

  useKeptPlace(scroller, list, isFollowing);

  const isNearEnd = (offset: number): boolean => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    return scrollSize - offset - viewportSize <= near;
  };
  const leave = (): void => {
    isFollowing.current = false;
    setLeftAt(lastId ?? '');
  };
  const onScroll = (offset: number): void => {
    const isAtEnd = isNearEnd(offset);
    const isUp = offset < lastOffset.current - 1;
    lastOffset.current = offset;
    if (isAtEnd && !isFollowing.current && performance.now() > goingUntil.current) {
      isFollowing.current = true;
      setLeftAt(undefined);
    } else if (isUp && !isAtEnd && isFollowing.current && isByHand()) leave();
  };

  return {
    isAway: leftAt !== undefined,
    newCount: leftAt === undefined ? 0 : countAfter(entries, leftAt),
    onScroll,
    leave() {
      goingUntil.current = performance.now() + settleMs;
      leave();
      // The place may be at the end, too.
      setTimeout(() => list.current && onScroll(list.current.scrollOffset), settleMs + 50);
    },
    onPress() {
      pressedAt.current = performance.now();
    },
    onResize() {
      if (!isFollowing.current) return;
      const isUnfolded = performance.now() - pressedAt.current < pressMs && !isNearEnd(list.current?.scrollOffset ?? 0);
      if (isUnfolded) leave();
      else scrollToEnd(list, scroller);
    },
    jump() {
      goingUntil.current = Number.NEGATIVE_INFINITY;
      isFollowing.current = true;
      setLeftAt(undefined);
      list.current?.scrollToIndex(count - 1, { align: 'end' });
      scroller.current?.focus({ preventScroll: true });
    },
  };
}

function scrollToEnd(list: RefObject<VirtualizerHandle | null>, scroller: RefObject<HTMLElement | null>): void {
  if (list.current) scroller.current?.scrollTo(0, list.current.scrollSize);
}

/** Whether the reader moves it: rows that turn out smaller than they were thought to be move it too, and nobody wanted that. */
function useHand(scroller: RefObject<HTMLElement | null>): () => boolean {
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const isHeld = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const moved = (): void => void (movedAt.current = performance.now());
    const held = (): void => void (isHeld.current = true);
    const released = (): void => void (isHeld.current = false);
    const kinds = ['wheel', 'touchmove', 'keydown'] as const;
    for (const kind of kinds) element.addEventListener(kind, moved, { passive: true });
    element.addEventListener('pointerdown', held);
    for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, released);
    return () => {
      for (const kind of kinds) element.removeEventListener(kind, moved);
      element.removeEventListener('pointerdown', held);
      for (const kind of ['pointerup', 'pointercancel']) removeEventListener(kind, released);
    };
  }, [scroller]);
  return useCallback(() => isHeld.current || performance.now() - movedAt.current < handMs, []);
}

function countAfter(entries: readonly Entry[], id: string): number {
  const at = entries.findLastIndex((entry) => entry.id === id);
  return at === -1 ? 0 : entries.length - 1 - at;
}

/** Another width gives every row another height: what was on top stays on top. */
function useKeptPlace(scroller: RefObject<HTMLElement | null>, list: RefObject<VirtualizerHandle | null>, isFollowing: RefObject<boolean>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let width = element.clientWidth;
    let place: { readonly index: number; readonly rest: number } | undefined;
    const remember = (): void => {
      if (!list.current || element.clientWidth !== width) return;
      const index = list.current.findItemIndex(list.current.scrollOffset);
      place = { index, rest: list.current.scrollOffset - list.current.getItemOffset(index) };
    };
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      const kept = place;
      if (kept && !isFollowing.current) requestAnimationFrame(() => list.current?.scrollToIndex(kept.index, { align: 'start', offset: kept.rest }));
    });
    observer.observe(element);
    element.addEventListener('scroll', remember, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', remember);
    };
  }, [scroller, list, isFollowing]);
}
