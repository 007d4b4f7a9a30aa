// Listens for the shortcuts of the whole page.
import { useEffect, useRef } from 'react';
import { shortcutOf, type ShortcutName } from './shortcuts.ts';

const key = 'single-key-shortcuts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function hasSingleKeys(): boolean {
  return localStorage.getItem(key) !== 'off';
}

export function keepSingleKeys(isOn: boolean): void {
  localStorage.setItem(key, isOn ? 'on' : 'off');
}

export function useShortcuts(act: (name: ShortcutName) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.isComposing || event.defaultPrevented) return;
      const name = shortcutOf(event, { isMac, isTyping: isField(event.target), hasSingleKeys: hasSingleKeys() });
      if (name === undefined) return;
      // A dialog has the keys to itself; the palette's own may open it anywhere else.
      if (document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]')) return;
      event.preventDefault();
      latest.current(name);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
