// Scrolls a new element into view. A ref callback that runs once, when the element is mounted.
export function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
