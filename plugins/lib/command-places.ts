// The places of a command that is a text: what the person writes after its name goes there.

export interface CommandText {
  /** With `$ARGUMENTS`, `$1` … for what the person writes after the name. */
  readonly text: string;
  /** `[file] [what to look for]`. */
  readonly usage?: string;
}

/** Something that a person fills in. */
export interface CommandPlace {
  /** Empty where it has no name. */
  readonly label: string;
  /** It takes all that was written as it is; another one takes a word, or several in double quotes. */
  readonly isWhole: boolean;
}

const place = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g;
const word = /"((?:[^"\\]|\\.)*)"(?=\s|$)|(\S+)/g;
const labelIn = /\[([^\]]+)\]|<([^>]+)>|(\S+)/g;

/** `$ARGUMENTS` is all of them, `$1` the first word, or what stands in quotes; where neither stands in the text, they follow it. */
export function fillPlaces(text: string, args: string): string {
  const words = [...args.matchAll(word)].map(([, quoted, plain = '']) => quoted?.replace(/\\(["\\])/g, '$1') ?? plain);
  const filled = text.replace(place, (_, at?: string) => (at === undefined ? args : (words[Number(at) - 1] ?? '')));
  return filled === text && args !== '' ? `${text}\n\nArguments: ${args}` : filled;
}

/** What a person fills in, in its order, called as the usage calls it. */
export function commandPlaces({ text, usage = '' }: CommandText): CommandPlace[] {
  const numbers = [...text.matchAll(place)].flatMap(([, at]) => (at === undefined ? [] : Number(at)));
  const labels = [...usage.matchAll(labelIn)].map(([, inSquare, inAngle, plain = '']) => (inSquare ?? inAngle ?? plain).trim());
  if (numbers.length > 0) return Array.from({ length: Math.max(...numbers) }, (_, at) => ({ label: labels[at] ?? '', isWhole: false }));
  const isAsked = usage !== '' || text.includes('$ARGUMENTS');
  return isAsked ? [{ label: labels.join(' '), isWhole: true }] : [];
}
