// Sends typed text and keys to the host: has a text field for the device's keyboard, and buttons for keys that type no character.
import { splitText } from '#lib/text';
import type { shortcutKeys } from '../guest-protocol.ts';
import { maxTypedText, modifierBits } from '../guest-protocol.ts';
import { button, element, setText } from './elements.ts';
import type { Input } from './input-queue.ts';

export interface KeyBar {
  readonly element: HTMLElement;
  /** Returns whether the field has the focus, which shows a phone's keyboard. */
  isTyping(): boolean;
  /** Restores the input that the host rejected. */
  giveBack(text: string): void;
}

export interface KeyBarParts {
  /** Sends an input and returns its number; `undefined` if it was not sent. */
  readonly send: (input: Input) => number | undefined;
  /** Called with text that was sent and the numbers of its inputs, which the host may reject. */
  readonly onSent: (text: string, inputs: readonly number[]) => void;
  readonly onFocus: () => void;
  readonly tell: (text: string) => void;
}

const keys = [
  ['Escape', 'Esc', 'Esc'],
  ['Tab', 'Tab', 'Tab'],
  ['ArrowLeft', '←', 'Left'],
  ['ArrowUp', '↑', 'Up'],
  ['ArrowDown', '↓', 'Down'],
  ['ArrowRight', '→', 'Right'],
  ['Backspace', '⌫', 'Backspace'],
  ['Enter', '↵', 'Enter'],
] as const;
const withControl: readonly (typeof shortcutKeys)[number][] = ['a', 'z', 'y', 'k'];
const repeatAfterMs = 450;
const repeatEveryMs = 70;

export function createKeyBar({ send, onSent, onFocus, tell }: KeyBarParts): KeyBar {
  let isControl = false;
  const field = element('textarea', {
    ...{ id: 'typed', class: 'field typed', rows: '1', placeholder: 'Type here, then send', enterkeyhint: 'send', autocapitalize: 'sentences' },
    'aria-label': 'Text for the host',
  });
  const go = element('button', { type: 'submit', class: 'button primary' }, 'Send');
  const control = button('Ctrl', { class: 'button key', 'aria-pressed': 'false' }, () => setControl(!isControl));
  keepFocus(control);

  function setControl(isOn: boolean): void {
    isControl = isOn;
    control.setAttribute('aria-pressed', String(isOn));
    if (isOn) tell(`Ctrl is held for the next key: ${withControl.map((key) => key.toUpperCase()).join(', ')} or one of the buttons.`);
  }

  function pressKey(key: string): void {
    const modifiers = isControl ? modifierBits.ctrl : 0;
    const code = key.length === 1 ? `Key${key.toUpperCase()}` : key;
    const isSent = send({ type: 'key', key, code, modifiers, down: true }) !== undefined;
    send({ type: 'key', key, code, modifiers, down: false });
    if (!isSent) tell('Not sent: there is no connection.');
    if (isControl) setControl(false);
  }

  /** Creates the button of a key; holding it repeats the key. */
  function keyButton([key, label, name]: (typeof keys)[number]): HTMLButtonElement {
    const made = button(label, { class: 'button key', 'aria-label': name }, () => undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (after: number): void => {
      timer = setTimeout(() => {
        pressKey(key);
        again(repeatEveryMs);
      }, after);
    };
    made.addEventListener('click', (event) => {
      // Handles only clicks from the keyboard; `pointerdown` handles the others.
      if (event.detail === 0) pressKey(key);
    });
    made.addEventListener('pointerdown', () => {
      pressKey(key);
      again(repeatAfterMs);
    });
    for (const end of ['pointerup', 'pointercancel', 'pointerleave']) made.addEventListener(end, () => clearTimeout(timer));
    keepFocus(made);
    return made;
  }

  function submit(): void {
    const text = field.value;
    if (text === '') return pressKey('Enter');
    const inputs: number[] = [];
    for (const piece of splitText(text, maxTypedText)) {
      const number = send({ type: 'text', text: piece });
      if (number === undefined) break;
      inputs.push(number);
    }
    if (inputs.length === 0) return tell('Not sent: there is no connection. Your text is still here.');
    field.value = '';
    grow();
    onSent(text, inputs);
  }

  function grow(): void {
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight + 2, 120)}px`;
    setText(go, field.value === '' ? '↵' : 'Send');
    go.setAttribute('aria-label', field.value === '' ? 'Press Enter' : 'Send the text');
  }

  const form = element('form', { class: 'typing' }, field, go);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  field.addEventListener('keydown', (event) => {
    // An input method confirms with the same key.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  });
  field.addEventListener('beforeinput', (event) => {
    // Phone keyboards report the Enter key only in this event.
    if (event.inputType !== 'insertLineBreak' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    submit();
  });
  field.addEventListener('input', (event) => {
    const typed = withControl.find((key) => key === field.value.toLowerCase());
    if (isControl && typed && !(event as InputEvent).isComposing) {
      field.value = '';
      pressKey(typed);
    }
    grow();
  });
  field.addEventListener('focus', onFocus);
  keepFocus(go);
  grow();

  const rows = element('div', { class: 'keys', role: 'toolbar', 'aria-label': 'Keys for the host' }, ...keys.map(keyButton), control);
  return {
    element: element('div', { class: 'key-bar' }, rows, form),
    isTyping: () => document.activeElement === field,
    giveBack(text) {
      if (field.value === '') field.value = text;
      grow();
    },
  };
}

/** Prevents a tap from taking the focus, which would hide the on-screen keyboard. */
function keepFocus(target: HTMLElement): void {
  target.addEventListener('pointerdown', (event) => event.preventDefault());
}
