// Decides which key presses on a hardware keyboard are sent to the host, and tracks held keys. Touch keyboards send text instead.
import { modifierBits, namedKeys, shortcutKeys } from '../guest-protocol.ts';
import type { Input } from './input-queue.ts';

export interface KeyPress {
  readonly key: string;
  readonly code: string;
  /** 229 during input method composition, and for nearly all keys of a phone. */
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

const composing = 229;
const named: ReadonlySet<string> = new Set(namedKeys);
const shortcuts: ReadonlySet<string> = new Set(shortcutKeys);

export function modifiersOf(press: Pick<KeyPress, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): number {
  const { alt, ctrl, meta, shift } = modifierBits;
  return (press.altKey ? alt : 0) | (press.ctrlKey ? ctrl : 0) | (press.metaKey ? meta : 0) | (press.shiftKey ? shift : 0);
}

/** Returns whether to send the key press to the host; others belong to the guest's own browser. */
export function goesToHost(press: KeyPress): boolean {
  if (press.isComposing || press.keyCode === composing || press.key === 'Unidentified' || press.key === 'Dead') return false;
  const isCharacter = [...press.key].length === 1;
  if (!isCharacter && !named.has(press.key)) return false;
  // AltGr types characters and reports Ctrl and Alt.
  const isWriting = isCharacter && press.ctrlKey && press.altKey;
  if ((press.ctrlKey || press.metaKey) && !isWriting) return isModifier(press.key) || shortcuts.has(isCharacter ? press.key.toLowerCase() : press.key);
  return true;
}

const isModifier = (key: string): boolean => key === 'Shift' || key === 'Control' || key === 'Alt';

export interface HeldKeys {
  /** Returns whether to send the key to the host; ignores the release of a key whose press was not sent. */
  take(press: KeyPress, isDown: boolean): boolean;
  /** Releases all held keys. Returns whether any key was held. */
  letGo(): boolean;
}

export function createHeldKeys(): HeldKeys {
  const held = new Set<string>();
  return {
    take(press, isDown) {
      const name = press.code || press.key;
      if (!isDown) return held.delete(name);
      if (!goesToHost(press)) return false;
      held.add(name);
      return true;
    },
    letGo() {
      const hadAny = held.size > 0;
      held.clear();
      return hadAny;
    },
  };
}

export interface KeyWatchParts {
  /** Element that has the focus while keys go to the host. */
  readonly stage: HTMLElement;
  /** Aborted to end the watch. */
  readonly signal: AbortSignal;
  /** Returns whether inputs go to the host. */
  steers(): boolean;
  /** Sends all queued inputs. */
  flush(): void;
  send(input: Input): void;
  sendText(text: string): void;
}

/** Sends key presses and pasted text to the host, and releases held keys when the page loses the focus. */
export function watchKeys({ stage, signal, steers, flush, send, sendText }: KeyWatchParts): void {
  const held = createHeldKeys();
  const onKey = (isDown: boolean) => (event: KeyboardEvent) => {
    // Tab leaves the picture, as in any page; a button sends the Tab key.
    if (document.activeElement !== stage || !steers() || event.key === 'Tab' || !held.take(event, isDown)) return;
    event.preventDefault();
    send({ type: 'key', key: event.key, code: event.code, modifiers: modifiersOf(event), down: isDown });
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (document.activeElement !== stage || !steers() || text === '') return;
    event.preventDefault();
    sendText(text);
  };
  const letGo = (): void => {
    flush();
    if (held.letGo() && steers()) send({ type: 'release' });
  };
  stage.addEventListener('keydown', onKey(true));
  stage.addEventListener('keyup', onKey(false));
  stage.addEventListener('blur', letGo);
  document.addEventListener('paste', onPaste, { signal });
  addEventListener('blur', letGo, { signal });
  document.addEventListener('visibilitychange', () => document.hidden && letGo(), { signal });
}
