// What somebody typed to have an action of a view done: `add title="A book" pages=300`, `remove a1 --yes`.
import type { InputField, View, ViewAction, ViewValues } from './view-schema.ts';
import { actionsOf, rowsOf, usageOf } from './view-words.ts';

export interface ViewCall {
  readonly action: ViewAction;
  readonly row?: string;
  readonly input?: ViewValues;
}

/** The words of a line: what stands in double quotes is one, also behind `name=`. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"?/g, (_, inner: string) => inner.replace(/\\(.)/g, '$1')),
  );
}

const pair = /^([A-Za-z]\w*)=([\s\S]*)$/;

/** What stands behind the name of a view: `name=value` for what it is read with, and from the first other word on a call. */
export function partWords(words: readonly string[]): { readonly parameters: Readonly<Record<string, string>>; readonly call: readonly string[] } {
  const end = words.findIndex((word) => !pair.test(word));
  const [own, call] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  return { parameters: Object.fromEntries(own.map((word) => [pair.exec(word)?.[1] ?? '', pair.exec(word)?.[2] ?? ''])), call };
}

/**
 * Reads them against what the view offers. Values become what their field is; whether they fit, the server says.
 * @param words the name of the action, then the row where it needs one, `name=value`, and `--yes` where it asks first
 */
export function readCall(view: View, [name = '', ...words]: readonly string[]): ViewCall | { readonly problem: string } {
  const all = actionsOf(view);
  const told = all.find(({ action }) => action.id === name);
  if (!told)
    return {
      problem: all.length === 0 ? 'Nothing can be done here.' : `There is no '${name}' here. There is ${all.map(({ action }) => action.id).join(', ')}.`,
    };
  const { action, isOfRow } = told;
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
    else return { problem: `'${word}' is not taken here. Write it like this: ${usageOf(told)}` };
  }
  const ids = isOfRow ? rowsOf(view).flatMap((one) => (one.actions.some(({ id }) => id === name) ? [one.id] : [])) : [];
  if (isOfRow && !ids.some((id) => id === row)) {
    return { problem: `'${action.id}' needs a row: ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ', …' : ''}.` };
  }
  if (action.confirm !== undefined && !isSure) return { problem: `${action.confirm} Say it again with --yes at the end.` };
  return { action, ...(row === undefined ? {} : { row }), ...(action.input ? { input } : {}) };
}

/** What a text says in a field of that type; the text itself where it says nothing there, which is for whoever checks it. */
export function valueOf(text: string, { type }: InputField): string | number | boolean {
  if (type === 'boolean') return /^(y|yes|true|on|1)$/i.test(text) ? true : /^(n|no|false|off|0)$/i.test(text) ? false : text;
  if (type === 'string' || text.trim() === '') return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
