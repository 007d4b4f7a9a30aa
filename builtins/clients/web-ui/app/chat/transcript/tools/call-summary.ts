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

/** Names what the calls did; if none of them ran, for example because they were denied, only the objects of the calls. */
function wordsOf(group: string, all: readonly ToolEntry[]): string {
  const done = all.filter(hasRun);
  const [calls, isDone] = done.length > 0 ? [done, true] : [all, false];
  const places = placesText(calls, (count) => tn(count, '{count} file', '{count} files'));
  const commands = tn(calls.length, '{count} command', '{count} commands');
  const pages = tn(new Set(calls.map(placeOf)).size, '{count} page', '{count} pages');
  switch (group) {
    case 'change':
      return isDone ? t('edited {places}', { places }) : places;
    case 'look':
      return isDone ? t('viewed {places}', { places }) : places;
    case 'search':
      return isDone ? t('searched {times}', { times: times(calls.length) }) : t('{count} calls', { count: calls.length });
    case 'run':
      return isDone ? t('ran {commands}', { commands }) : commands;
    case 'visit':
      return isDone ? t('visited {pages}', { pages }) : pages;
    default:
      return calls.length === 1 ? group : `${group} ${times(calls.length)}`;
  }
}

const hasRun = ({ state }: ToolEntry): boolean => state === 'ok' || state === 'failed' || state === 'running';

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
