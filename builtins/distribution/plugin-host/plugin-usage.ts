// Meters calls, time, memory and faults of third-party plugins, and stores them by day for a month.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginReport } from 'agent-harness/kernel';
import { withLimit } from 'agent-harness/lib/async';
import { codeOf, messageOf } from 'agent-harness/lib/errors';
import { localDay } from 'agent-harness/lib/local-day';
import { textStart } from 'agent-harness/lib/text';
import { isRecord } from 'agent-harness/lib/values';
import type { PluginFaultKind, PluginUsage, PluginUsageRow } from 'agent-harness/plugins/settings';
import { amountOf, callFields, faultFields, fields, noTally, numbersOf, readKept, sumOf, type Tally } from './usage-tally.ts';

const writeEveryMs = 60_000;
const daysKept = 30;
/** Of one day; what comes later that day is counted while the program runs, and not kept. */
const pluginsKept = 300;
/** A thread or process that computes does not answer; what it said last stands then. */
const lookMs = 300;
const longestMessage = 300;

/** What a thread or a process says about itself. */
export interface GuestNumbers {
  /** Milliseconds in which it computed, since it began. */
  readonly activeMs: number;
  readonly heapBytes: number;
  /** Of a process. */
  readonly rssBytes?: number;
}

/** One run of a plugin that is kept apart. */
export interface MeteredRun {
  /** Asks a last time. Never rejects, and waits for no more than a moment. */
  last(): Promise<void>;
  /**
   * Nobody can be asked any more.
   * @param isByItself nobody wanted it to end
   * @param computedMs what it computed since it answered the last time, where that is known
   */
  gone(isByItself: boolean, computedMs?: number): void;
}

export interface PluginMeter {
  readonly usage: PluginUsage;
  /** A call is over. @param ms of computing, without what it called of other plugins */
  count(plugin: string, what: string, ms: number): void;
  fault(plugin: string, kind: PluginFaultKind, message: string): void;
  /** A call failed; what is no fault (an end that was asked for, an answer by the plugin's own table of errors) is not charged. */
  failed(plugin: string, what: string, fault: unknown): void;
  /** A thread or process began. @param look asks it */
  guest(plugin: string, look: () => Promise<unknown>): MeteredRun;
  countsOf(plugin: string): { readonly calls: number; readonly faults: number };
  /** Hears what is charged; one listener. */
  onFault(hear: (plugin: string, kind: PluginFaultKind, message: string) => void): void;
  /** A plugin is gone, and with it what it took. On disk when it returns. */
  forget(plugin: string): void;
  /** On disk when it returns. Never throws: a home that cannot be written to is told by whoever has more to write. */
  flush(): void;
}

interface Account {
  readonly live: Tally;
  /** As far as it is on disk. */
  saved: Tally;
  readonly guests: Set<PluginProcess>;
  hasCrashed: boolean;
  lastFault?: NonNullable<PluginUsageRow['lastFault']>;
}
interface PluginProcess {
  readonly look: () => Promise<unknown>;
  activeMs: number;
  bytes: number;
}
export interface MeterOptions {
  /** Whether the home keeps files at all; true when left out. */
  readonly isKept?: boolean;
  /** How often what runs apart is looked at, in milliseconds; a minute when left out. */
  readonly lookEveryMs?: number;
}

/** @param plugins the rows of now */
export function createPluginMeter(
  home: string,
  plugins: () => readonly PluginReport[],
  { isKept = true, lookEveryMs = writeEveryMs }: MeterOptions = {},
): PluginMeter {
  const path = join(home, 'plugin_usage.json');
  const since = new Date().toISOString();
  const accounts = new Map<string, Account>();
  const forgotten = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  /** While anything runs apart: what grows is seen before it ends. */
  let watching: NodeJS.Timeout | undefined;
  let hear: ((plugin: string, kind: PluginFaultKind, message: string) => void) | undefined;

  function accountOf(plugin: string): Account {
    const known = accounts.get(plugin);
    if (known) return known;
    const made: Account = { live: { ...noTally }, saved: { ...noTally }, guests: new Set(), hasCrashed: false };
    accounts.set(plugin, made);
    return made;
  }

  function willWrite(): void {
    timer ??= setTimeout(() => void lookAtAll().then(flush), writeEveryMs).unref();
  }

  function charge(plugin: string, kind: PluginFaultKind, message: string): void {
    const account = accountOf(plugin);
    account.live[faultFields[kind]]++;
    if (kind === 'crash') account.hasCrashed = true;
    account.lastFault = { at: new Date().toISOString(), kind, message: textStart(message, longestMessage) };
    willWrite();
  }

  async function look(account: Account, guest: PluginProcess): Promise<void> {
    const said = await withLimit(Promise.resolve().then(guest.look), lookMs, () => undefined).catch(() => undefined);
    if (!isRecord(said)) return;
    // It is the plugin's own side that says so.
    const [activeMs, heapBytes, rssBytes] = [said['activeMs'], said['heapBytes'], said['rssBytes'] ?? said['heapBytes']].map(amountOf) as [
      number,
      number,
      number,
    ];
    account.live.ms += Math.max(0, activeMs - guest.activeMs);
    guest.activeMs = Math.max(guest.activeMs, activeMs);
    guest.bytes = Math.max(heapBytes, rssBytes);
    account.live.peakBytes = Math.max(account.live.peakBytes, guest.bytes);
  }

  async function lookAtAll(): Promise<void> {
    await Promise.all([...accounts.values()].flatMap((account) => [...account.guests].map((guest) => look(account, guest))));
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const rows = new Set(forgotten.size === 0 ? [] : plugins().map(({ name }) => name));
    // It may have ended after it was forgotten, and be there again since.
    for (const name of forgotten)
      if (rows.has(name)) forgotten.delete(name);
      else accounts.delete(name);
    const changed = [...accounts].filter(([, { live, saved }]) => isKept && fields.some((field) => live[field] !== saved[field]));
    if (changed.length === 0) return;
    const kept = readKept(path);
    const today = localDay(new Date());
    const day: Record<string, Partial<Tally>> = { ...kept.days[today] };
    const last = { ...kept.last };
    for (const [name, account] of changed) {
      if (day[name] === undefined && Object.keys(day).length >= pluginsKept) continue;
      day[name] = sumOf(day[name] ?? {}, differenceOf(account));
      if (account.lastFault) last[name] = account.lastFault;
      account.saved = { ...account.live };
    }
    const days = Object.fromEntries(
      Object.entries({ ...kept.days, [today]: day })
        .sort(([left], [right]) => (left < right ? 1 : -1))
        .slice(0, daysKept),
    );
    write({ days, last });
  }

  function write({ days, last }: ReturnType<typeof readKept>): void {
    const known = new Set(Object.values(days).flatMap((names) => Object.keys(names)));
    try {
      const text = JSON.stringify({ days, last: Object.fromEntries(Object.entries(last).filter(([name]) => known.has(name))) });
      writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      // Told by whoever has more to write.
    }
  }

  function forget(plugin: string): void {
    accounts.delete(plugin);
    forgotten.add(plugin);
    const { days, last } = readKept(path);
    if (!Object.values(days).some((names) => Object.hasOwn(names, plugin))) return;
    const without = (names: Readonly<Record<string, Partial<Tally>>>): Record<string, Partial<Tally>> =>
      Object.fromEntries(Object.entries(names).filter(([name]) => name !== plugin));
    write({ days: Object.fromEntries(Object.entries(days).map(([day, names]) => [day, without(names)])), last });
  }

  async function read(days: number): ReturnType<PluginUsage['read']> {
    await lookAtAll();
    const kept = days > 0 ? readKept(path) : { days: {}, last: {} };
    const today = localDay(new Date());
    const first = localDay(new Date(Date.now() - (days - 1) * 86_400_000));
    const rows = plugins().flatMap(({ name, origin, state, isolation }) => {
      const account = accounts.get(name);
      const byDay = Object.entries(kept.days).flatMap(([day, names]): [string, Partial<Tally>][] =>
        day >= first && day !== today && names[name] ? [[day, names[name]]] : [],
      );
      const ofToday = sumOf(kept.days[today]?.[name] ?? {}, account ? differenceOf(account) : {});
      if (days > 0 && fields.some((field) => ofToday[field] > 0)) byDay.push([today, ofToday]);
      const total = days > 0 ? byDay.reduce((sum, [, one]) => sumOf(sum, one), { ...noTally }) : (account?.live ?? noTally);
      const isQuiet = fields.every((field) => total[field] === 0);
      if (isQuiet && (origin === 'builtin' || origin === 'platform')) return [];
      const lastFault = account?.lastFault ?? kept.last[name];
      const guests = [...(account?.guests ?? [])];
      const bytes = guests.reduce((sum, guest) => sum + guest.bytes, 0);
      const row: PluginUsageRow = {
        ...{ name, origin, state },
        ...(isolation === undefined ? {} : { isolation: 'child' as const }),
        ...numbersOf(total),
        ...(bytes > 0 ? { memoryBytes: bytes } : {}),
        ...(lastFault ? { lastFault } : {}),
        ...(days > 0 ? { days: byDay.sort(([left], [right]) => (left < right ? -1 : 1)).map(([day, one]) => ({ day, ...numbersOf(sumOf(one, {})) })) } : {}),
      };
      return [row];
    });
    return { since, at: new Date().toISOString(), days, plugins: rows };
  }

  return {
    usage: { read },
    count(plugin, what, ms) {
      const { live } = accountOf(plugin);
      const field = callFields[what];
      if (field !== undefined) live[field]++;
      live.ms += ms;
      if (!timer) willWrite();
    },
    fault(plugin, kind, message) {
      charge(plugin, kind, message);
      hear?.(plugin, kind, message);
    },
    failed(plugin, what, fault) {
      // Calls that were under way when its thread ended are no further faults.
      if (what === 'load' || what === 'register' || isAnswer(fault) || accounts.get(plugin)?.hasCrashed === true) return;
      charge(plugin, 'error', `${what}: ${messageOf(fault)}`);
      // Who calls a tool or a route may be the one at fault.
      if (what !== 'tool' && what !== 'route') hear?.(plugin, 'error', messageOf(fault));
    },
    guest(plugin, ask) {
      const account = accountOf(plugin);
      if (account.hasCrashed) account.live.restarts++;
      account.hasCrashed = false;
      const guest: PluginProcess = { look: ask, activeMs: 0, bytes: 0 };
      account.guests.add(guest);
      willWrite();
      watching ??= setInterval(() => void lookAtAll(), lookEveryMs).unref();
      return {
        last: () => look(account, guest),
        gone(isByItself, computedMs = 0) {
          account.guests.delete(guest);
          account.live.ms += computedMs;
          if (![...accounts.values()].some(({ guests }) => guests.size > 0)) watching = void clearInterval(watching);
          if (isByItself) account.hasCrashed = true;
        },
      };
    },
    countsOf(plugin) {
      const account = accounts.get(plugin);
      const { calls, faults } = numbersOf(account?.live ?? noTally);
      return { calls: calls.total, faults: faults.total };
    },
    onFault: (listener) => void (hear = listener),
    forget,
    flush,
  };
}

/** Whoever was called stopped because it was told to, or refused by its own table of errors. */
function isAnswer(fault: unknown): boolean {
  if (typeof fault !== 'object' || fault === null) return false;
  return (fault as { readonly name?: unknown }).name === 'AbortError' || codeOf(fault)?.includes('_ERR_') === true;
}

function differenceOf({ live, saved }: Account): Partial<Tally> {
  return Object.fromEntries(fields.map((field) => [field, field === 'peakBytes' ? live[field] : live[field] - saved[field]]));
}
