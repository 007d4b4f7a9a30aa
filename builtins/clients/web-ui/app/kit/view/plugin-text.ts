// Translates a plugin's text in a view if a catalogue contains it; `##` in it is literal.
import { t } from '../t.ts';

/** Translates a plain text line by line, because each line is a separate message. */
export const pluginTextLines = (text: string): string => text.split('\n').map(pluginText).join('\n');

export const pluginText = (text: string): string => (text.includes('##') ? text : t(text));
