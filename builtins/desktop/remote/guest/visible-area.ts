// Moves the elements at the bottom of the page above a phone's on-screen keyboard.

/** Follows the position of the keyboard. @param onShown called after the position has changed */
export function followKeyboard(app: HTMLElement, signal: AbortSignal, onShown: () => void): void {
  const visible = globalThis.visualViewport;
  if (!visible) return;
  const place = (): void => {
    // Does nothing during the browser's own zoom, which the user controls.
    if (visible.scale > 1.01) return;
    app.style.height = `${visible.height}px`;
    app.style.transform = `translateY(${visible.offsetTop}px)`;
    onShown();
  };
  visible.addEventListener('resize', place, { signal });
  visible.addEventListener('scroll', place, { signal });
  place();
}
