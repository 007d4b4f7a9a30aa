// Keeps the elements at the bottom above the keyboard of a phone.

/** @param onShown after the position changed */
export function followKeyboard(app: HTMLElement, signal: AbortSignal, onShown: () => void): void {
  const visible = globalThis.visualViewport;
  if (!visible) return;
  const place = (): void => {
    // The browser's own zoom is left to the user.
    if (visible.scale > 1.01) return;
    app.style.height = `${visible.height}px`;
    app.style.transform = `translateY(${visible.offsetTop}px)`;
    onShown();
  };
  visible.addEventListener('resize', place, { signal });
  visible.addEventListener('scroll', place, { signal });
  place();
}
