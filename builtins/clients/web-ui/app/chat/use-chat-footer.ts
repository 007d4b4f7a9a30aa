// Aligns the footer of a chat with the conversation beside its scroll bar, and scrolls the conversation when the wheel turns over the footer.
import { useEffect, type RefObject, type WheelEvent } from 'react';

/** Height of a line in pixels, for wheel events that count in lines. */
const linePx = 40;

const conversationOf = (page: HTMLElement | null): HTMLElement | null => page?.querySelector<HTMLElement>('[role="log"]') ?? null;

/** Sets `--gutter` of the page to the width of the conversation's scroll bar. */
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

/** Scrolls the conversation on wheel events that no element of the footer uses. For `onWheel` of the footer. */
export function scrollConversation(page: HTMLElement | null, event: WheelEvent<HTMLElement>): void {
  const { deltaY, deltaMode, ctrlKey, target, currentTarget } = event;
  // With Ctrl, the wheel zooms.
  if (deltaY === 0 || ctrlKey || !(target instanceof Element) || canScroll(target, currentTarget, deltaY)) return;
  const conversation = conversationOf(page);
  conversation?.scrollBy({ top: deltaMode === 1 ? deltaY * linePx : deltaMode === 2 ? deltaY * conversation.clientHeight : deltaY });
}

/** Returns whether an element between the two can scroll in that direction. */
function canScroll(from: Element, until: Element, deltaY: number): boolean {
  for (let element: Element | null = from; element && element !== until; element = element.parentElement) {
    const room = deltaY < 0 ? element.scrollTop : element.scrollHeight - element.clientHeight - element.scrollTop;
    if (room > 1 && /auto|scroll/.test(getComputedStyle(element).overflowY)) return true;
  }
  return false;
}
