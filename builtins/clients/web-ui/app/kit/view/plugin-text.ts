// What a plugin says in a view: a message where a catalogue has it; `##` in it is a part of it.
import { t } from '../t.ts';

/** A plain text of several lines is several messages. */
export const pluginTextLines = (text: string): string => text.split('\n').map(pluginText).join('\n');

export const pluginText = (text: string): string => (text.includes('##') ? text : t(text));
