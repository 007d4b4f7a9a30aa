// Finds the plugin that ends the program some time after its start, where nothing names it: by halves, over the next starts. Pure.

/** A run that nobody ended in order, and whose end nobody is known to be guilty of. */
export interface EndedRun {
  /** For how long it ran at least, in milliseconds. */
  readonly lived: number;
  /** For a while before its end no code of any of them ran, which does not look like theirs. */
  readonly isQuiet?: boolean;
  /** What ran, the most likely first: name → what it held. */
  readonly plugins: Readonly<Record<string, string>>;
}

export interface Search {
  /** One of these, if any. */
  readonly suspects: readonly string[];
  /** Of the suspects those that run; the others are off until it is known. */
  readonly on: readonly string[];
  /** Who has run for so long is cleared, in milliseconds. */
  readonly clearedAfterMs: number;
}

export interface SearchState {
  /** Since the last one that ended in order. */
  readonly ends: readonly EndedRun[];
  readonly search?: Search;
  /** It is put aside; if the program ends without it, too, it was another one. */
  readonly found?: string;
  /** With these nothing was found: name → what it held. */
  readonly inVain?: Readonly<Record<string, string>>;
}

export interface Verdict {
  readonly state: SearchState;
  readonly found?: string;
  /** Was put aside and is not guilty. */
  readonly acquitted?: string;
}

/**
 * So much has to come together in a row. One that ends within moments, with code of a plugin at work, points at plugins: three of these. One that had been
 * up for longer, or in which nothing of them ran when it ended, looks more like a person who kills the program: six.
 */
const pointsUntilSearch = 6;
/** What ran for longer had been up and answering, in milliseconds. */
const momentsMs = 60_000;
const pointsOf = ({ lived, isQuiet = false }: EndedRun): number => (lived < momentsMs && !isQuiet ? 2 : 1);
export const noSearch: SearchState = { ends: [] };

/** @param soonMs what ran for longer did not end soon after its start @param longerThan a time that is safely longer */
export function afterEnd(state: SearchState, ended: EndedRun, soonMs: number, longerThan: (ms: number) => number): Verdict {
  const { search, found, inVain } = state;
  if (ended.lived >= soonMs) return { state: search ? state : kept({ inVain }) };
  if (found !== undefined) return { state: kept({ inVain: { ...ended.plugins, ...heldBy(state, found) } }), acquitted: found };
  if (search) {
    const suspects = search.on.filter((name) => Object.hasOwn(ended.plugins, name));
    return judge(state, suspects, Math.max(search.clearedAfterMs, longerThan(ended.lived)), ended);
  }
  if (inVain && isSame(inVain, ended.plugins)) return { state };
  const ends = [...state.ends, ended];
  if (ends.reduce((sum, one) => sum + pointsOf(one), 0) < pointsUntilSearch) return { state: kept({ ends, inVain }) };
  const suspects = Object.keys(ended.plugins).filter((name) => ends.every(({ plugins }) => plugins[name] === ended.plugins[name]));
  return judge({ ends }, suspects, longerThan(Math.max(...ends.map(({ lived }) => lived))), ended);
}

function judge({ ends }: SearchState, suspects: readonly string[], clearedAfterMs: number, { plugins }: EndedRun): Verdict {
  const [first, second] = suspects;
  if (first === undefined) return { state: { ends: [], inVain: plugins } };
  if (second === undefined) return { state: { ends, found: first }, found: first };
  return { state: { ends, search: { suspects, on: half(suspects), clearedAfterMs } } };
}

/** The run has lasted longer than those that ended. Answers whom to load next to it. */
export function afterSurvival({ search, inVain }: SearchState): { readonly state: SearchState; readonly load: readonly string[] } {
  const suspects = search?.suspects.filter((name) => !search.on.includes(name)) ?? [];
  if (!search || suspects.length === 0) return { state: kept({ inVain }), load: [] };
  const on = half(suspects);
  return { state: { ends: [], search: { ...search, suspects, on } }, load: on };
}

/** Somebody switched it on: it is no suspect any more. Without a name none is. */
export function without({ search, found, ...rest }: SearchState, name?: string): SearchState {
  if (name === undefined) return noSearch;
  const left = search && { ...search, suspects: search.suspects.filter((one) => one !== name), on: search.on.filter((one) => one !== name) };
  return {
    ...rest,
    ...(left && left.suspects.length > 0 ? { search: left } : {}),
    ...(found === undefined || found === name ? {} : { found }),
  };
}

/** One of one, so that nobody is guilty without a run of its own. */
const half = (names: readonly string[]): readonly string[] => names.slice(0, Math.max(1, Math.floor(names.length / 2)));

function kept({ ends = [], inVain }: { readonly ends?: readonly EndedRun[]; readonly inVain?: SearchState['inVain'] | undefined }): SearchState {
  return { ends, ...(inVain ? { inVain } : {}) };
}

function heldBy({ ends }: SearchState, name: string): Readonly<Record<string, string>> {
  const held = ends.at(-1)?.plugins[name];
  return held === undefined ? {} : { [name]: held };
}

function isSame(left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
