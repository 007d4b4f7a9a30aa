// Puts text into a field where its caret is, as if it had been typed.
import type { TextField } from '#page/points/contribution.ts';
import { withSpaces } from './space-out.ts';

export function insertText(field: TextField, text: string): void {
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  const spaced = withSpaces(field.value.slice(0, start), text, field.value.slice(end));
  // Typed text can be taken back; only a field that has the focus can be typed into.
  if (document.activeElement === field && document.execCommand('insertText', false, spaced)) return;
  field.setRangeText(spaced, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: spaced }));
}
