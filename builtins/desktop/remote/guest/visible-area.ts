// Keeps what is at the bottom above the keyboard of a phone.

/** @param onShown after the place changed */
export function followKeyboard(app: HTMLElement, signal: AbortSignal, onShown: () => void): void {
  const visible = globalThis.visualViewport;
  if (!visible) return;
  const place = (): void => {
    // A page that the browser itself zooms is the person's own affair.
    if (visible.scale > 1.01) return;
    app.style.height = `${visible.height}px`;
    app.style.transform = `translateY(${visible.offsetTop}px)`;
    onShown();
  };
  visible.addEventListener('resize', place, { signal });
  visible.addEventListener('scroll', place, { signal });
  place();
}
