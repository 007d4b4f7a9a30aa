// Limits the cost of model calls to the spending caps: reserves the maximum cost before a call is sent, and records the actual cost.
import type { ModelCall, ModelRequest, ModelRoute, ModelUsage, ProviderRequest, SpendingCap, SpendingState, UsageRow } from '../contract.ts';
import type { UsageLog } from '../usage-log.ts';
import type { Caps } from './caps.ts';
import type { Ledger } from './ledger.ts';
import { nextMidnight } from '#lib/local-day';
import { promptTokens, textTokens, type Prices, type TokenPrice } from './prices.ts';

type Booked = Pick<ModelRequest, 'purpose' | 'chatId' | 'turnId'>;

export interface SpendingParts {
  readonly caps: Caps;
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly usageLog: Pick<UsageLog, 'add' | 'hold'>;
  /** Creates the error for a cap that has been reached. */
  error(reason: 'DAY_BUDGET' | 'CHAT_BUDGET' | 'PURPOSE_BUDGET', details: Readonly<Record<string, unknown>>): Error;
  warn(booked: Booked, state: SpendingState, percent: number): void;
  readonly now?: () => Date;
}

/** The reservation of one attempt. Contract: it is ended exactly once, by `settle` with the actual cost or by `cut`. */
export interface Hold {
  /** Maximum length of the reply in tokens; less than requested if more is not affordable. */
  readonly maxTokens: number;
  /** Wraps the call to count its output, which is needed if the attempt is aborted. */
  watch(call: ModelCall): ModelCall;
  /** Ends the reservation of a successful attempt. Returns fields to record with its usage. */
  settle(usage: ModelUsage): Pick<UsageRow, 'estimate'> & { readonly hold?: string };
  /** Called after the row of `settle` was added to the log. */
  booked(row: UsageRow): void;
  /**
   * Ends the reservation of a failed or aborted attempt. Records the price of the output so far, or nothing if there is no output and the request was not
   * completely `sent`.
   */
  cut(isSent: boolean): void;
}

export interface Spending {
  /**
   * Reserves the cost of a request. Rejects with an error of `parts.error` if a cap does not allow even a short reply, or with the signal's reason when
   * aborted.
   */
  forRequest(request: ModelRequest, route: ModelRoute, signal: AbortSignal): Promise<Hold>;
  forProviderRequest(request: ProviderRequest, route: ModelRoute, signal: AbortSignal): Promise<Hold>;
  /** Returns the states of the caps; with `chatId`, also of the caps per chat. */
  states(chatId?: string): Promise<SpendingState[]>;
}

/** The estimated cost of a request, in USD. */
interface Need {
  readonly fixed: number;
  readonly perToken: number;
  readonly tokens: number;
  /** Price of input in USD per token. */
  readonly inputPrice?: number;
}
interface Live extends Booked {
  readonly usd: number;
}

/** Minimum length of a reply in tokens; a shorter one is not worth the cost of its prompt. */
const fewestTokens = 256;
const epsilon = 1e-9;
const warnedAt = [95, 80] as const;
/** Assumed cost, in USD, of the first request of a kind whose price is unknown. */
const firstGuess = 0.01;

export function createSpending({ caps, ledger, prices, usageLog, error, warn, now = () => new Date() }: SpendingParts): Spending {
  const live = new Map<string, Live>();
  const waiting = new Set<() => void>();
  /** Cost in USD of the most expensive request outside conversations, by purpose. */
  const dearest = new Map<string, number>();
  let ids = 0;

  /** Returns the price of a model. Requests it only if a cap is set. */
  async function priceFor({ purpose, chatId }: Booked, route: ModelRoute): Promise<TokenPrice> {
    return caps.inForce(purpose, chatId).length === 0 ? { input: 0, output: 0 } : prices.of(route);
  }

  function stateOf(cap: SpendingCap, chatId: string | undefined): SpendingState {
    const isMine = (one: Booked): boolean => caps.counts(cap, one.purpose) && (cap.per === 'day' || one.chatId === chatId);
    let held = 0;
    for (const one of live.values()) if (isMine(one)) held += one.usd;
    const spent = cap.per === 'day' ? ledger.today((purpose) => caps.counts(cap, purpose)) : chatId === undefined ? 0 : ledger.inChat(chatId);
    const { name, per, source } = cap;
    return { name, per, source, limit: cap.limit(), spent, held, ...(per === 'day' ? { resetsAt: nextMidnight(now()).toISOString() } : {}) };
  }

  /** Reserves the cost of a call. Waits for running calls if the call may become affordable, because they may cost less than reserved. */
  async function reserve(booked: Booked, need: Need, signal: AbortSignal): Promise<{ readonly id: string; readonly maxTokens: number } | undefined> {
    if (caps.inForce(booked.purpose, booked.chatId).length === 0) return undefined;
    await ledger.ready();
    for (;;) {
      signal.throwIfAborted();
      const states = caps.inForce(booked.purpose, booked.chatId).map((cap) => stateOf(cap, booked.chatId));
      const now = tokensFor(
        need,
        least(states, ({ limit, spent, held }) => limit - spent - held),
      );
      const later = tokensFor(
        need,
        least(states, ({ limit, spent }) => limit - spent),
      );
      if (later === undefined) throw refusal(booked, states, need);
      if (now === later) return { id: hold(booked, need.fixed + need.perToken * later), maxTokens: later };
      await change(signal);
    }
  }

  function hold(booked: Booked, usd: number): string {
    const id = `${process.pid.toString(36)}${Date.now().toString(36)}${(ids++).toString(36)}`;
    const { purpose, chatId } = booked;
    live.set(id, { ...booked, usd });
    const scope = chatId === undefined ? {} : { chatId };
    if (usd > 0) usageLog.hold({ at: now().toISOString(), purpose, model: '', ...scope, hold: id, held: usd });
    return id;
  }

  function refusal({ purpose }: Booked, states: readonly SpendingState[], need: Need): Error {
    const state = states.find((one) => tokensFor(need, one.limit - one.spent) === undefined) ?? states[0];
    if (!state) throw new Error('no cap limits the request');
    const isOfAll = caps.all().find(({ name }) => name === state.name)?.purposes === 'all';
    const reason = state.per === 'chat' ? 'CHAT_BUDGET' : isOfAll ? 'DAY_BUDGET' : 'PURPOSE_BUDGET';
    const price = need.fixed + need.perToken * Math.min(need.tokens, fewestTokens);
    const { name, source, limit, spent, resetsAt } = state;
    const next = spent >= limit ? '' : `, so too little is left for the next call (about ${usdText(price)})`;
    return error(reason, { spent: usdText(spent), limit, source, cap: name, purpose, next, resetsAt: resetsAt ?? '' });
  }

  function change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  function release(id: string): void {
    live.delete(id);
    for (const wake of [...waiting]) wake();
  }

  function spend(row: UsageRow, booked: Booked): void {
    const before = caps.inForce(booked.purpose, booked.chatId).map((cap) => stateOf(cap, booked.chatId));
    ledger.add(row);
    for (const [index, cap] of caps.inForce(booked.purpose, booked.chatId).entries()) {
      const after = stateOf(cap, booked.chatId);
      const was = before[index]?.spent ?? after.spent;
      const percent = warnedAt.find((one) => was < (after.limit * one) / 100 && after.spent >= (after.limit * one) / 100 - epsilon);
      if (percent !== undefined) warn(booked, after, percent);
    }
  }

  function createHold(booked: Booked & { readonly model: string; readonly plugin?: string }, need: Need, reserved: Awaited<ReturnType<typeof reserve>>): Hold {
    if (!reserved)
      return {
        maxTokens: need.tokens,
        watch: (call) => call,
        settle: () => ({}),
        booked: (row) => ledger.add(row),
        cut: () => undefined,
      };
    const { id, maxTokens } = reserved;
    const isHeld = (live.get(id)?.usd ?? 0) > 0;
    let delivered = 0;
    const count = (delta: string): void => void (delivered += textTokens(delta));
    const estimate = (): number => need.fixed + need.perToken * Math.min(delivered, maxTokens);
    return {
      maxTokens,
      watch: (call) => ({
        ...call,
        text: (delta) => (count(delta), call.text(delta)),
        reasoning: (delta) => (count(delta), call.reasoning(delta)),
        toolArgs: (index, delta) => (count(delta), call.toolArgs(index, delta)),
        retry: (notice) => call.retry(notice),
      }),
      settle({ cost, input, output }) {
        const mark = isHeld ? { hold: id } : {};
        if (cost !== undefined) {
          if (need.tokens === 0) dearest.set(booked.purpose, Math.max(cost, dearest.get(booked.purpose) ?? 0));
          return mark;
        }
        if (!isHeld) return {};
        const { inputPrice, perToken } = need;
        return { ...mark, estimate: inputPrice !== undefined && input + output > 0 ? input * inputPrice + output * perToken : estimate() };
      },
      booked(row) {
        spend(row, booked);
        release(id);
      },
      cut(isSent) {
        if (!isHeld) return release(id);
        const at = now().toISOString();
        const { purpose, model, chatId, turnId, plugin = 'agent' } = booked;
        if (delivered === 0 && !isSent) usageLog.hold({ at, purpose, model, hold: id, isFreed: true });
        else {
          const scope = { ...(chatId === undefined ? {} : { chatId }), ...(turnId === undefined ? {} : { turnId }) };
          const row = { at, purpose, plugin, model, ...scope, input: 0, output: 0, cached: 0, estimate: estimate() };
          usageLog.add({ ...row, hold: id } as UsageRow);
          spend(row, booked);
        }
        release(id);
      },
    };
  }

  return {
    async forRequest(request, route, signal) {
      const { input, output } = await priceFor(request, route);
      const need = { fixed: input === 0 ? 0 : input * promptTokens(request), perToken: output, tokens: request.maxTokens, inputPrice: input };
      return createHold({ ...request, model: route.model }, need, await reserve(request, need, signal));
    },
    async forProviderRequest(request, route, signal) {
      const guess = dearest.get(request.purpose) ?? ((await priceFor(request, route)).output > 0 ? firstGuess : 0);
      const need = { fixed: request.mostCost ?? guess, perToken: 0, tokens: 0 };
      return createHold({ ...request, model: route.model }, need, await reserve(request, need, signal));
    },
    async states(chatId) {
      await ledger.ready();
      return caps
        .all()
        .filter((cap) => (cap.per === 'day' || chatId !== undefined) && isReadable(cap))
        .map((cap) => stateOf(cap, chatId));
    },
  };
}

/** Returns whether the limit of a cap can be read. If not, requests fail, and the overview omits the cap. */
function isReadable(cap: SpendingCap): boolean {
  try {
    return cap.limit() >= 0;
  } catch {
    return false;
  }
}

/** Returns the number of affordable tokens for the reply; `undefined` if there are too few. */
function tokensFor({ fixed, perToken, tokens }: Need, left: number): number | undefined {
  if (left <= epsilon || fixed > left + epsilon) return undefined;
  const most = perToken === 0 ? tokens : Math.min(tokens, Math.floor((left - fixed + epsilon) / perToken));
  return most < Math.min(tokens, fewestTokens) ? undefined : most;
}

function least(states: readonly SpendingState[], of: (state: SpendingState) => number): number {
  return Math.min(...states.map(of));
}

/** Formats an amount with cents, or with more digits if it is small. */
export function usdText(usd: number): string {
  if (usd >= 0.1 || usd === 0) return usd.toFixed(2);
  return usd >= 0.0001 ? usd.toFixed(4) : usd.toPrecision(2);
}
