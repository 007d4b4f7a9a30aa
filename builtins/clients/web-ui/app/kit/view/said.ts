// Translates a plugin's text in a view if a catalogue contains it; `##` in it is literal.
import { t } from '../t.ts';

/** Each line of a plain text is a separate message. */
export const saidLines = (text: string): string => text.split('\n').map(said).join('\n');

export const said = (text: string): string => (text.includes('##') ? text : t(text));
