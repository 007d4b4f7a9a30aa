// Which keys do what on the whole page. Pure.
import { table } from '../kit/t.ts';

export type ShortcutName = 'palette' | 'shortcuts' | 'new-chat' | 'search' | 'sidebar' | 'pane' | 'message';

interface Shortcut {
  readonly name: ShortcutName;
  readonly what: string;
  readonly key: string;
  /** Ctrl, on a Mac Command. */
  readonly hasModifier?: boolean;
  readonly hasShift?: boolean;
}

export const shortcuts: readonly Shortcut[] = table([
  { name: 'palette', what: 'Command palette', key: 'k', hasModifier: true },
  { name: 'new-chat', what: 'New chat', key: 'o', hasModifier: true, hasShift: true },
  { name: 'sidebar', what: 'Show or hide the chats', key: 'b', hasModifier: true },
  { name: 'pane', what: 'Show or hide what is beside the chat', key: 'p' },
  { name: 'message', what: 'To the message field', key: 'm' },
  { name: 'search', what: 'Search everything that was said', key: 's' },
  { name: 'shortcuts', what: 'This list', key: '?' },
]);

export interface Keyboard {
  readonly isMac: boolean;
  /** The focus is in a field. */
  readonly isTyping: boolean;
  /** Single keys can be switched off, because speech input and shaky hands press them by accident (WCAG 2.1.4). */
  readonly hasSingleKeys: boolean;
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;

export function shortcutOf(press: Press, { isMac, isTyping, hasSingleKeys }: Keyboard): ShortcutName | undefined {
  if (press.altKey || press.repeat) return undefined;
  const hasModifier = isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  if (!hasModifier && (press.ctrlKey || press.metaKey || isTyping || !hasSingleKeys)) return undefined;
  const found = shortcuts.find(
    (one) =>
      one.key === press.key.toLowerCase() &&
      (one.hasModifier ?? false) === hasModifier &&
      // On many keyboards the question mark needs Shift.
      (one.key === '?' || (one.hasShift ?? false) === press.shiftKey),
  );
  return found?.name;
}

/** Of the key beside the others; Macs have Command instead. */
export const modifierName = /* t */ 'Ctrl';

/** As they stand on English keys; whoever shows them looks them up. */
export function keysOf({ key, hasModifier, hasShift }: Shortcut, isMac: boolean): readonly string[] {
  return [...(hasModifier ? [isMac ? '⌘' : modifierName] : []), ...(hasShift ? ['Shift'] : []), key.toUpperCase()];
}
