// The foot of a chat goes with the conversation above it: as wide as that is beside its scroll bar, and the wheel over it scrolls that.
import { useEffect, type RefObject, type WheelEvent } from 'react';

/** Pixels of a line, where a wheel counts in lines. */
const linePx = 40;

const conversationOf = (page: HTMLElement | null): HTMLElement | null => page?.querySelector<HTMLElement>('[role="log"]') ?? null;

/** Keeps `--gutter` of the page as wide as the scroll bar of the conversation. */
export function useGutter(page: RefObject<HTMLElement | null>, chatId: string): void {
  useEffect(() => {
    const conversation = conversationOf(page.current);
    if (!conversation) return;
    const fit = (): void => page.current?.style.setProperty('--gutter', `${conversation.offsetWidth - conversation.clientWidth}px`);
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(conversation);
    return () => observer.disconnect();
  }, [page, chatId]);
}

/** For `onWheel` of the foot: what nothing in it takes scrolls the conversation. */
export function scrollConversation(page: HTMLElement | null, event: WheelEvent<HTMLElement>): void {
  const { deltaY, deltaMode, ctrlKey, target, currentTarget } = event;
  // With Ctrl it zooms.
  if (deltaY === 0 || ctrlKey || !(target instanceof Element) || canScroll(target, currentTarget, deltaY)) return;
  const conversation = conversationOf(page);
  conversation?.scrollBy({ top: deltaMode === 1 ? deltaY * linePx : deltaMode === 2 ? deltaY * conversation.clientHeight : deltaY });
}

/** Whether something between the two can scroll that way. */
function canScroll(from: Element, until: Element, deltaY: number): boolean {
  for (let element: Element | null = from; element && element !== until; element = element.parentElement) {
    const room = deltaY < 0 ? element.scrollTop : element.scrollHeight - element.clientHeight - element.scrollTop;
    if (room > 1 && /auto|scroll/.test(getComputedStyle(element).overflowY)) return true;
  }
  return false;
}
