// Fills in the placeholders of a command text with the user's arguments.

export interface CommandText {
  /** Text with `$ARGUMENTS`, `$1` and so on for the user's arguments. */
  readonly text: string;
  /** Names of the arguments, for example `[file] [search text]`. */
  readonly usage?: string;
}

/** An input field of a command. */
export interface CommandPlace {
  /** Name of the input; empty if it has none. */
  readonly label: string;
  /** Whether the input takes the rest of the line verbatim; other inputs take one word, or several in double quotes. */
  readonly isWhole: boolean;
}

const place = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g;
const word = /"((?:[^"\\]|\\.)*)"(?=\s|$)|(\S+)/g;
const labelIn = /\[([^\]]+)\]|<([^>]+)>|(\S+)/g;

/** Fills in the arguments: `$ARGUMENTS` is the whole text, `$1` the first word or quoted part. If there are no placeholders, the arguments are appended. */
export function fillPlaces(text: string, args: string): string {
  const words = [...args.matchAll(word)].map(([, quoted, plain = '']) => quoted?.replace(/\\(["\\])/g, '$1') ?? plain);
  const filled = text.replace(place, (_, at?: string) => (at === undefined ? args : (words[Number(at) - 1] ?? '')));
  return filled === text && args !== '' ? `${text}\n\nArguments: ${args}` : filled;
}

/** Returns the inputs in order, with the names that the usage gives them. */
export function commandPlaces({ text, usage = '' }: CommandText): CommandPlace[] {
  const numbers = [...text.matchAll(place)].flatMap(([, at]) => (at === undefined ? [] : Number(at)));
  const labels = [...usage.matchAll(labelIn)].map(([, inSquare, inAngle, plain = '']) => (inSquare ?? inAngle ?? plain).trim());
  if (numbers.length > 0) return Array.from({ length: Math.max(...numbers) }, (_, at) => ({ label: labels[at] ?? '', isWhole: false }));
  const isAsked = usage !== '' || text.includes('$ARGUMENTS');
  return isAsked ? [{ label: labels.join(' '), isWhole: true }] : [];
}
