// Checks and executes the calls of an isolated plugin to the server: logging, events, registrations, services and fetch.
import { messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import { refuseForeignMethod } from './allowed-api.ts';
import type { AppliedParts, AppliedRegistrations } from './applied-registrations.ts';
import type { ProxiedRequest } from './proxied-fetch.ts';
import type { Registration } from './child-registry.ts';
import { createBudget, type Callables } from './plugin-process.ts';
import type { Held } from './rpc-codec.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];

export type ServerCalls = ReturnType<typeof createServerCalls>;

export interface ServerCallParts extends Omit<AppliedParts, 'server'>, Pick<AppliedRegistrations, 'take' | 'dispose'> {}

const mostLines = 500;
const lineWindowMs = 10_000;
/** Maximum length of a log line in characters. */
const longestLine = 4_000;

export function createServerCalls({ manifest, capabilities, onFault, registry, emitter, take, dispose }: ServerCallParts) {
  const services = registry.services as unknown as Readonly<Record<string, unknown>>;
  const budget = createBudget(mostLines, lineWindowMs);
  let used = 0;
  const doors: Callables = {
    log: (level: Level, message: string, fields?: Record<string, unknown>) => say(levels.includes(level) ? level : 'info', String(message), fields),
    emit: (event: never, payload: never) => orLog(`cannot emit '${String(event)}'`, () => emitter.emit(event, payload)),
    register: (registration: Registration) => orLog('cannot register', () => take(registration)),
    async fetch(request: ProxiedRequest, signal: AbortSignal) {
      const { fetchForPlugin } = await import('./proxied-fetch.ts');
      return fetchForPlugin(manifest.name, capabilities, request, signal);
    },
    dispose: (handle: number) => dispose(handle),
    service(key: string, names: readonly string[], args: readonly unknown[]): unknown {
      refuseForeignMethod(key, names);
      const service = services[key] as Readonly<Record<string, Held>>;
      return service[names[0] ?? '']?.(...args);
    },
  };

  function say(level: Level, message: string, fields?: Record<string, unknown>): void {
    if (budget.take()) registry.log[level](textStart(message, longestLine), fields);
    else if (budget.isFirstBeyond) onFault(`logs too much; lines beyond ${mostLines} in ${lineWindowMs / 1_000} s are dropped.`, 'slow');
  }

  /** Runs a call that has no result, and logs its error. */
  function orLog(what: string, work: () => void): void {
    try {
      work();
    } catch (fault) {
      say('error', `${what}: ${messageOf(fault)}`);
    }
  }

  return {
    /** Functions of the server that the process may call. */
    doors: Object.fromEntries(Object.entries(doors).map(([name, door]) => [name, (...args: never[]) => (used++, door(...args))])),
    /** Number of calls so far. */
    get used() {
      return used;
    },
    say,
  };
}
