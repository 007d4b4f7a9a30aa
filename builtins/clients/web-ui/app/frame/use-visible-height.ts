// Keeps the frame within what a phone's keyboard leaves of the screen, where the browser does not do it by itself.
import { useEffect } from 'react';

export function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const { style } = document.documentElement;
    const fit = (): void => {
      // A pinch makes it small as well, and is not to move anything.
      const isCovered = viewport.scale <= 1.01 && window.innerHeight - viewport.height > 80;
      if (isCovered) {
        style.setProperty('--frame-height', `${viewport.height}px`);
        style.setProperty('--frame-top', `${viewport.offsetTop}px`);
      } else {
        style.removeProperty('--frame-height');
        style.removeProperty('--frame-top');
      }
    };
    viewport.addEventListener('resize', fit);
    viewport.addEventListener('scroll', fit);
    return () => {
      viewport.removeEventListener('resize', fit);
      viewport.removeEventListener('scroll', fit);
    };
  }, []);
}
