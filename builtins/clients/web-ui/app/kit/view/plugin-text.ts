// Translates the text of a plugin in a view if a catalogue contains it; `##` in the text is literal.
import { t } from '../t.ts';

/** Translates a plain text line by line, because each line is a separate message. */
export const pluginTextLines = (text: string): string => text.split('\n').map(pluginText).join('\n');

export const pluginText = (text: string): string => (text.includes('##') ? text : t(text));
