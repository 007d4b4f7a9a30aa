// Limits the frame to the part of the screen above a phone's keyboard, in browsers that do not do this themselves.
import { useEffect } from 'react';

export function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const { style } = document.documentElement;
    const fit = (): void => {
      // Pinch zoom also reduces the visible height, but must not move anything.
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
