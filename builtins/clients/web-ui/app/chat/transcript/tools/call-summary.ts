// Summarizes several calls in a few words, based on the icons of their tools. Pure.
import type { ToolEntry } from 'agent-harness/client';
import { callText } from 'agent-harness/client';
import { t, tn } from '../../../kit/t.ts';
import { rowOf } from '../../../kit/short-texts.ts';

type Kind = 'change' | 'look' | 'search' | 'run' | 'visit';
const kinds: Readonly<Record<string, Kind>> = {
  ...({ 'file-edit': 'change', 'file-add': 'change', file: 'look', folder: 'look', search: 'search', terminal: 'run', globe: 'visit' } as const),
};

/** Returns a summary such as `Edited app.js, viewed 12 files, ran 3 commands`. */
export function summarizeCalls(calls: readonly ToolEntry[]): string {
  const groups = new Map<string, ToolEntry[]>();
  for (const call of calls) {
    const group = kinds[call.icon ?? ''] ?? call.name;
    groups.set(group, [...(groups.get(group) ?? []), call]);
  }
  const words = rowOf([...groups].map(([group, of]) => wordsOf(group, of)));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function wordsOf(group: string, calls: readonly ToolEntry[]): string {
  switch (group) {
    case 'change':
      return t('edited {places}', { places: placesText(calls, (count) => tn(count, '{count} file', '{count} files')) });
    case 'look':
      return t('viewed {places}', { places: placesText(calls, (count) => tn(count, '{count} file', '{count} files')) });
    case 'search':
      return t('searched {times}', { times: times(calls.length) });
    case 'run':
      return t('ran {commands}', { commands: tn(calls.length, '{count} command', '{count} commands') });
    case 'visit':
      return t('visited {pages}', { pages: tn(new Set(calls.map(placeOf)).size, '{count} page', '{count} pages') });
    default:
      return calls.length === 1 ? group : `${group} ${times(calls.length)}`;
  }
}

/** Returns the name of a single file, or the number of several. */
function placesText(calls: readonly ToolEntry[], counted: (count: number) => string): string {
  const places = [...new Set(calls.map(placeOf))];
  const [only] = places;
  return places.length === 1 && only !== undefined && only !== '' ? (only.split('/').findLast((part) => part !== '') ?? only) : counted(places.length);
}

function placeOf(call: ToolEntry): string {
  const path = call.args?.['path'];
  return typeof path === 'string' ? path : callText(call);
}

const times = (count: number): string => tn(count, 'once', '{count} times');
