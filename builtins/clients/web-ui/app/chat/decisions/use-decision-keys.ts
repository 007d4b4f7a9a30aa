// Handles Alt+A, Alt+E and Alt+R for the topmost approval, regardless of the focused element.
import { useEffect, useEffectEvent } from 'react';

export interface DecisionKeys {
  readonly a: () => void;
  readonly e: () => void;
  readonly r: () => void;
}

export function useDecisionKeys(isOnTop: boolean, keys: DecisionKeys): void {
  const take = useEffectEvent((event: KeyboardEvent) => {
    const act = keyOf(event);
    // Dialogs have their own shortcuts. A repeated key is not a second decision.
    if (!act || event.repeat || (event.target instanceof Element && event.target.closest('dialog, [role="dialog"], [role="alertdialog"]'))) return;
    event.preventDefault();
    keys[act]();
  });
  useEffect(() => {
    if (!isOnTop) return;
    const onKeyDown = (event: KeyboardEvent): void => take(event);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isOnTop]);
}

function keyOf(event: KeyboardEvent): keyof DecisionKeys | undefined {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.getModifierState('AltGraph')) return undefined;
  const key = event.key.toLowerCase();
  // If Alt types another character (such as å on a Mac), the physical key decides.
  const letter = /^[a-z]$/.test(key) ? key : event.code.replace(/^Key/, '').toLowerCase();
  return letter === 'a' || letter === 'e' || letter === 'r' ? letter : undefined;
}
