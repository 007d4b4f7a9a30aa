// Defines the keyboard shortcuts of the whole page. Pure.
import { table } from '../kit/t.ts';

export type ShortcutName = 'palette' | 'shortcuts' | 'new-chat' | 'settings' | 'sidebar' | 'pane';

/** A key with Ctrl, or with Command on a Mac; plain letters are typed into the message. */
interface Shortcut {
  readonly name: ShortcutName;
  readonly what: string;
  readonly key: string;
  readonly hasShift?: boolean;
}

export const shortcuts: readonly Shortcut[] = table([
  { name: 'palette', what: 'Command palette', key: 'k' },
  { name: 'new-chat', what: 'New chat', key: 'o', hasShift: true },
  { name: 'settings', what: 'Settings', key: ',' },
  { name: 'sidebar', what: 'Show or hide the chats', key: 'b' },
  { name: 'pane', what: 'Show or hide the side pane', key: '.' },
  { name: 'shortcuts', what: 'This list', key: '/' },
]);

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;

export function shortcutOf(press: Press, isMac: boolean): ShortcutName | undefined {
  const hasModifier = isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  if (!hasModifier || press.altKey || press.repeat) return undefined;
  // On many keyboards a slash needs Shift.
  return shortcuts.find(({ key, hasShift = false }) => key === press.key.toLowerCase() && (key === '/' || hasShift === press.shiftKey))?.name;
}

/** Returns whether a key enters text; if nothing else handles it, the message field receives it. */
export function isText(press: Press): boolean {
  return press.key.length === 1 && press.key !== ' ' && !press.ctrlKey && !press.metaKey && !press.altKey;
}

/** Name of the modifier key; Macs use Command instead. */
export const modifierName = /* t */ 'Ctrl';

/** Returns the key names as labelled on English keyboards; callers translate them. */
export function keysOf({ key, hasShift }: Shortcut, isMac: boolean): readonly string[] {
  return [isMac ? '⌘' : modifierName, ...(hasShift ? ['Shift'] : []), key.toUpperCase()];
}
