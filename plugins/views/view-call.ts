// Parses an action of a view that the user typed: `add title="A book" pages=300`, `remove a1 --yes`.
import type { InputField, View, ViewAction, ViewValues } from './view-schema.ts';
import { actionsOf, rowsOf, usageOf } from './view-texts.ts';

export interface ViewCall {
  readonly action: ViewAction;
  readonly row?: string;
  readonly input?: ViewValues;
}

/** Splits a line into words: text in double quotes is one word, also after `name=`. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"?/g, (_, inner: string) => inner.replace(/\\(.)/g, '$1')),
  );
}

const pair = /^([A-Za-z]\w*)=([\s\S]*)$/;

/** Splits the words after a view's name: `name=value` parameters, then the action, which begins with the first other word. */
export function partWords(words: readonly string[]): { readonly parameters: Readonly<Record<string, string>>; readonly call: readonly string[] } {
  const end = words.findIndex((word) => !pair.test(word));
  const [own, call] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  return { parameters: Object.fromEntries(own.map((word) => [pair.exec(word)?.[1] ?? '', pair.exec(word)?.[2] ?? ''])), call };
}

/**
 * Parses a typed action according to the actions of the view. Converts values to the types of their fields; the server validates them.
 * @param words the name of the action, then the row if needed, `name=value`, and `--yes` if the action needs confirmation
 */
export function readCall(view: View, [name = '', ...words]: readonly string[]): ViewCall | { readonly problem: string } {
  const all = actionsOf(view);
  const described = all.find(({ action }) => action.id === name);
  if (!described)
    return {
      problem:
        all.length === 0 ? 'This view has no actions.' : `There is no action '${name}'. Available actions: ${all.map(({ action }) => action.id).join(', ')}.`,
    };
  const { action, isOfRow } = described;
  const fields = new Map(Object.entries(action.input?.properties ?? {}));
  const input: Record<string, string | number | boolean> = {};
  let row: string | undefined;
  let isSure = false;
  for (const word of words) {
    const [, field, value = ''] = pair.exec(word) ?? [];
    const known = field === undefined ? undefined : fields.get(field);
    if (word === '--yes') isSure = true;
    else if (field !== undefined && known) input[field] = valueOf(value, known);
    else if (isOfRow && row === undefined) row = word;
    else return { problem: `'${word}' is not valid here. Use this form: ${usageOf(described)}` };
  }
  const ids = isOfRow ? rowsOf(view).flatMap((one) => (one.actions.some(({ id }) => id === name) ? [one.id] : [])) : [];
  if (isOfRow && !ids.some((id) => id === row)) {
    return { problem: `'${action.id}' needs a row: ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ', …' : ''}.` };
  }
  if (action.confirm !== undefined && !isSure) return { problem: `${action.confirm} Repeat the command with --yes at the end.` };
  return { action, ...(row === undefined ? {} : { row }), ...(action.input ? { input } : {}) };
}

/** Converts text to the type of a field; returns invalid text unchanged, because it is validated later. */
export function valueOf(text: string, { type }: InputField): string | number | boolean {
  if (type === 'boolean') return /^(y|yes|true|on|1)$/i.test(text) ? true : /^(n|no|false|off|0)$/i.test(text) ? false : text;
  if (type === 'string' || text.trim() === '') return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
