// Scrolls what has just appeared into view. A ref: it acts once, when the element is there.
export function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
