// Manages the single connection between a server and a workspace: opens it on demand, restarts it after a crash, and closes it when unused.
import { backoffMs, untilAborted, withLimit } from '#lib/async';
import type { Approvals } from 'agent-harness/plugins/policy';
import type { ToolContext } from 'agent-harness/plugins/tools';
import type { CallWatch } from './call-watch.ts';
import { askFields, type AskPerson, type ElicitAnswer } from './elicitation.ts';
import { whyOf } from './foreign-text.ts';
import { idleMs, mostQuestions, restartBudget, restartPauseMs } from '../limits.ts';
import type { Link } from './link.ts';
import { SessionLost, SignInNeeded } from '../transport/connection-faults.ts';

export interface ActiveCall {
  readonly context: ToolContext;
  readonly watch: CallWatch;
  questions: number;
}

export type SlotState = { readonly kind: 'closed' | 'opening' | 'open' } | { readonly kind: 'failed'; readonly why: string; readonly fault: unknown };

/** The server has not answered yet and is still starting. */
export class StartsSlowly extends Error {
  override readonly name = 'StartsSlowly';
}

export interface SlotParts {
  readonly server: string;
  /** Maximum wait for a start in milliseconds; read on every use. */
  startMs(): number;
  readonly approvals: Pick<Approvals, 'ask'>;
  open(slot: Slot, signal: AbortSignal): Promise<Link>;
  onState(): void;
}

export interface Slot {
  readonly state: SlotState;
  readonly isInUse: boolean;
  /** Returns the connection; opens it if necessary. `isAsked`: whether the user requested it; earlier crashes then do not count. */
  ready(isAsked?: boolean): Promise<Link>;
  /** Runs `work` with the connection. Until `work` ends, the chat of the call answers the server's questions. */
  use<T>(call: ActiveCall, work: (link: Link) => Promise<T>): Promise<T>;
  elicit(params: { readonly message: string; readonly requestedSchema?: unknown }, signal: AbortSignal): Promise<ElicitAnswer>;
  end(): Promise<void>;
}

export function createSlot({ server, approvals, startMs, open, onState }: SlotParts): Slot {
  const ended = new AbortController();
  const active = new Set<ActiveCall>();
  let state: SlotState = { kind: 'closed' };
  let link: Promise<Link> | undefined;
  let deaths: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** A server that never worked is not restarted automatically. */
  let hasWorked = false;

  function enter(next: SlotState): void {
    state = next;
    onState();
  }

  function recentDeaths(): number {
    deaths = deaths.filter((at) => performance.now() - at < restartBudget.withinMs);
    return deaths.length;
  }

  function start(): Promise<Link> {
    clearTimeout(timer);
    enter({ kind: 'opening' });
    const opening = open(slot, ended.signal);
    link = opening;
    opening.then(
      (opened) => {
        if (ended.signal.aborted) return void opened.close();
        hasWorked = true;
        enter({ kind: 'open' });
        waitIdle();
        void opened.closed.then((why) => onGone(opening, why, new Error(why)));
      },
      (fault: unknown) => onGone(opening, whyOf(fault), fault),
    );
    return opening;
  }

  /** Handles a closed or failed connection: schedules a restart with increasing delays. */
  function onGone(which: Promise<Link>, why: string, fault: unknown): void {
    if (link !== which || ended.signal.aborted) return;
    link = undefined;
    deaths.push(performance.now());
    const count = recentDeaths();
    const isSpent = count >= restartBudget.times;
    enter({
      kind: 'failed',
      fault,
      why: isSpent ? `${why}; it crashed ${count} times within ${restartBudget.withinMs / 60_000} minutes and is not restarted until it is used again` : why,
    });
    clearTimeout(timer);
    if (isSpent || !hasWorked || fault instanceof SignInNeeded) return;
    timer = setTimeout(() => void start().catch(() => undefined), backoffMs(count - 1, restartPauseMs));
  }

  function waitIdle(): void {
    if (state.kind !== 'open') return;
    clearTimeout(timer);
    if (active.size > 0) return;
    timer = setTimeout(() => void release(), idleMs);
  }

  /** Waits for a connection that is being opened, within the time limit. A slow start continues in the background, and the next call uses its connection. */
  function inTime(opening: Promise<Link>): Promise<Link> {
    const ms = startMs();
    return withLimit(opening, ms, () => {
      throw new StartsSlowly(`it did not respond within ${ms / 1_000} s (AGENT_MCP_START_MS) and is still starting; try again later`);
    });
  }

  async function release(): Promise<void> {
    const open = link;
    link = undefined;
    enter({ kind: 'closed' });
    await (await open)?.close();
  }

  async function tryTwice<T>(call: ActiveCall, work: (link: Link) => Promise<T>): Promise<T> {
    const once = async (): Promise<T> => {
      // Does not abort the start, because other callers may need it.
      const open = await untilAborted(slot.ready(), call.watch.signal);
      clearTimeout(timer);
      return work(open);
    };
    try {
      return await once();
    } catch (fault) {
      if (!(fault instanceof SessionLost)) throw fault;
      return once();
    }
  }

  function mayTry(): boolean {
    const last = deaths.at(-1) ?? -Infinity;
    return recentDeaths() < restartBudget.times || performance.now() - last >= restartPauseMs.longest;
  }

  const slot: Slot = {
    get state() {
      return state;
    },
    get isInUse() {
      return active.size > 0;
    },
    ready(isAsked = false) {
      if (ended.signal.aborted) return Promise.reject(new Error('it was removed'));
      if (isAsked) deaths = [];
      if (link) return inTime(link);
      return mayTry() ? inTime(start()) : Promise.reject(new Error(state.kind === 'failed' ? state.why : 'it crashed too often'));
    },
    async use(call, work) {
      active.add(call);
      try {
        return await tryTwice(call, work);
      } finally {
        active.delete(call);
        waitIdle();
      }
    },
    async elicit(params, signal) {
      const call = [...active].at(-1);
      if (!call || call.questions >= mostQuestions) return { action: 'cancel' };
      call.questions += 1;
      const asking = { ...call.context, signal: AbortSignal.any([call.watch.signal, signal, ended.signal]) };
      const resumes = [...active].map(({ watch }) => watch.pause());
      const ask: AskPerson = (prompt, options) => approvals.ask({ prompt, ...(options ? { options } : {}) }, asking);
      try {
        return await askFields(server, params, ask);
      } catch {
        return { action: 'cancel' };
      } finally {
        for (const resume of resumes) resume();
      }
    },
    async end() {
      clearTimeout(timer);
      ended.abort();
      const open = link;
      link = undefined;
      await open?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
  return slot;
}
