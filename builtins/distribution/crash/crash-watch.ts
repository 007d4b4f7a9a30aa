// Keeps what a search for the plugin that ends the program knows from one start to the next, and says what is off because of it.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import type { DiedIn } from '../start-marker.ts';
import { afterEnd, afterSurvival, noSearch, without, type EndedRun, type Search, type SearchState } from './culprit-search.ts';
import { longerThan, openRunningMarker, soonMs } from './running-marker.ts';

export interface CrashWatch {
  /** Who is put aside, because the program ended each time with it. */
  readonly found: DiedIn | undefined;
  /** Who was put aside and is not guilty: the program ended without it, too. */
  readonly acquitted: string | undefined;
  /** A sentence for the person, where something is looked for or was not found. */
  readonly told: string | undefined;
  /** Why the plugin is off meanwhile. */
  offOf(name: string): string | undefined;
  /** The program works with these. @param load brings the next suspects in, once those that run are cleared */
  begin(plugins: Readonly<Record<string, string>>, load: (name: string) => Promise<unknown>): void;
  /** No code of any has run for a while; or some is about to. */
  setQuiet(isQuiet: boolean): void;
  /** Somebody switched it on, or all were read anew. */
  forget(name?: string): void;
  /** It ends in order, or who ends it is known. */
  end(): void;
}

/** @param isNamed who ended the last run is known otherwise @param isKept whether the home keeps files at all */
export function openCrashWatch(home: string, isNamed: boolean, isKept: boolean): CrashWatch {
  const path = join(home, 'plugin_search.json');
  const marker = openRunningMarker(home);
  const before = readState(path);
  const { ended } = marker;
  const verdict = ended && !isNamed ? afterEnd(before, ended, soonMs, longerThan) : { state: before };
  let state = before;
  let timer: NodeJS.Timeout | undefined;
  let running: Readonly<Record<string, string>> = {};
  write(verdict.state);

  function write(next: SearchState): void {
    if (next === state) return;
    state = next;
    try {
      if (next.ends.length === 0 && !next.search && !next.inVain && next.found === undefined) return rmSync(path, { force: true });
      writeFileSync(`${path}.tmp`, JSON.stringify(next), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      // A home that cannot be written to is told by whoever has more to write.
    }
  }

  /** Those that run have run for longer than the program did when it ended. */
  function clearLater(load: (name: string) => Promise<unknown>): void {
    clearTimeout(timer);
    const afterMs = state.search?.clearedAfterMs ?? (state.ends.length > 0 ? soonMs : undefined);
    if (afterMs === undefined) return;
    timer = setTimeout(() => {
      const next = afterSurvival(state);
      write(next.state);
      // Their turn is a run of its own: what they end is found as theirs.
      marker.end();
      marker.begin({ ...running, ...heldOf(ended, next.load) });
      void Promise.allSettled(next.load.map(load)).then(() => clearLater(load));
    }, afterMs).unref();
  }

  return {
    found: verdict.found === undefined ? undefined : diedIn(verdict.found, ended),
    acquitted: verdict.acquitted,
    told: toldOf(before, verdict.state, verdict.acquitted),
    offOf: (name) => offOf(state.search, name),
    begin(plugins, load) {
      // Whoever is put aside is not guilty if the program ends without any, too.
      if (!isKept || (Object.keys(plugins).length === 0 && state.found === undefined)) return;
      running = plugins;
      marker.begin(plugins);
      clearLater(load);
    },
    setQuiet: marker.setQuiet,
    forget(name) {
      write(without(state, name));
    },
    end() {
      clearTimeout(timer);
      marker.end();
      // One that ended in order ends the row of those that did not.
      if (!state.search && state.found === undefined && state.ends.length > 0) write(state.inVain ? { ends: [], inVain: state.inVain } : noSearch);
    },
  };
}

function diedIn(plugin: string, ended: EndedRun | undefined): DiedIn {
  const content = ended?.plugins[plugin];
  return {
    plugin,
    ...(content === undefined ? {} : { content }),
    reason: 'was at work each time the program broke down or was killed soon after its start.',
  };
}

const heldOf = (ended: EndedRun | undefined, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, ended?.plugins[name] ?? '']));

function offOf(search: Search | undefined, name: string): string | undefined {
  if (!search?.suspects.includes(name) || search.on.includes(name)) return undefined;
  return `off for now, because the program broke down or was killed soon after its start again and again, and it is being found out whether one of its plugins is at fault (one of: ${search.suspects.join(', ')}). It comes back by itself once the others are cleared. Switch it on to leave it out of the search.`;
}

function toldOf(before: SearchState, { ends, search, inVain }: SearchState, acquitted: string | undefined): string | undefined {
  const often = 'The program broke down or was killed soon after its start';
  if (acquitted !== undefined) return `${often} without '${acquitted}' as well, so that plugin is on again. No plugin was found to be at fault.`;
  if (search) {
    const off = search.suspects.filter((name) => !search.on.includes(name));
    if (off.length === 0) return undefined;
    return `${often} ${before.search ? 'again' : `${ends.length} times in a row`}. To find out whether a plugin is at fault, this start is without ${off.join(', ')}. They come back by themselves; 'app serve --safe' starts without any, and switching one on leaves it out of the search.`;
  }
  return inVain && before.search ? `${often} again, and no plugin was found to be at fault.` : undefined;
}

/** What makes no sense is nothing. */
function readState(path: string): SearchState {
  try {
    const found = jsonOf(readFileSync(path, 'utf8'));
    const { ends, search, found: name, inVain } = isRecord(found) ? found : {};
    if (!Array.isArray(ends) || !ends.every((one) => isRecord(one) && typeof one['lived'] === 'number' && isTexts(one['plugins']))) return noSearch;
    const { suspects, on, clearedAfterMs } = isRecord(search) ? search : {};
    return {
      ends: ends as EndedRun[],
      ...(isTextList(suspects) && isTextList(on) && typeof clearedAfterMs === 'number' ? { search: { suspects, on, clearedAfterMs } } : {}),
      ...(typeof name === 'string' ? { found: name } : {}),
      ...(isTexts(inVain) ? { inVain } : {}),
    };
  } catch {
    return noSearch;
  }
}

const isTextList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isTexts = (value: unknown): value is Readonly<Record<string, string>> => isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
