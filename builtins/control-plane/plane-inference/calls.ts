// Manages a model call from the credit reservation to the ledger entry, and ends its reservation exactly once.
import type { KernelError } from 'agent-harness/kernel';
import { backoffMs, createUnderWay, withLimit } from '#lib/async';
import type { CreditQueue } from './credit-queue.ts';
import type { Ledger, Reservation, Reserved, Settlement } from './ledger.ts';
import type { MakeError } from './manifest.ts';
import type { PricedModel, Prices } from './prices.ts';
import type { Progress } from './progress.ts';

/** The member on whose behalf a call is made. */
export interface Caller {
  readonly orgId: string;
  readonly userId: string;
}

export interface CallRequest extends Pick<Reservation, 'requestId' | 'kind' | 'purpose' | 'minimumMicro' | 'wantedMicro' | 'estimateMicro'> {
  readonly caller: Caller;
  readonly priced: PricedModel;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface Call {
  /** Id of the reservation and of the receipt. */
  readonly id: string;
  readonly grantedMicro: number;
  /** Marks the request as sent. @param estimateMicro returns the current cost in micro-credits */
  began(estimateMicro: () => number): void;
  /** Writes the ledger entry; retries while the database is unavailable. Never rejects. */
  settle(settlement: Settlement): void;
  /** Releases the reservation of an unused call. Never rejects. */
  release(): void;
}

export interface Calls {
  /** Returns the price of a model. Rejects with `MODEL_UNPRICED`. */
  priced(model: string, isOffered: (priced: PricedModel) => boolean): Promise<PricedModel>;
  /** Reserves credit for a call. Rejects with `BUDGET_EXCEEDED`, and with the signal's reason. */
  open(request: CallRequest): Promise<Call>;
  /** Resolves when the entries of all ended calls have been written, or after the timeout in milliseconds. */
  written(ms: number): Promise<void>;
  figures(): CallFigures;
}

/** Figures of this node since its start. */
export interface CallFigures {
  readonly open: number;
  readonly ended: Readonly<Record<Settlement['outcome'] | 'released', number>>;
  readonly settledMicro: number;
  readonly uncoveredMicro: number;
}

export interface CallsParts {
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly queue: CreditQueue;
  readonly progress: Progress;
  readonly makeError: MakeError;
  createId(): string;
  warned(orgId: string, percent: 80 | 95): void;
  /** Called with the part of a call's cost that its wallet could not pay. */
  uncovered(orgId: string, micro: number): void;
  /** Called when a reservation could not be ended; the sweep ends it later. */
  lost(fault: unknown): void;
}

const tries = 6;
const waits = { first: 200, longest: 5_000 };

export function createCalls(parts: CallsParts): Calls {
  const { ledger, progress, queue, makeError } = parts;
  const writing = createUnderWay();
  const ended = { complete: 0, cut: 0, left: 0, released: 0 };
  let open = 0;
  let settledMicro = 0;
  let uncoveredMicro = 0;

  /** Retrying is safe, because a write that was not acknowledged is not applied twice. */
  function write(holdId: string, orgId: string, work: () => Promise<unknown>): void {
    progress.ended(holdId);
    void writing.add(
      repeat(work)
        .catch(parts.lost)
        .then(() => queue.freed(orgId)),
    );
  }

  return {
    async priced(model, isOffered) {
      const found = await parts.prices.of(model);
      if (!found || !isOffered(found)) throw makeError('MODEL_UNPRICED', { model });
      return found;
    },

    async open({ caller, priced, signal, ...request }) {
      const holdId = parts.createId();
      const { orgId, userId } = caller;
      const { minimumMicro } = request;
      const reservation = { ...request, holdId, orgId, userId, model: priced.model, priceId: priced.priceId };
      const answer = await queue.reserve(orgId, minimumMicro, () => ledger.reserve(reservation), signal);
      const { grantedMicro } = answer;
      if (grantedMicro === undefined) throw exceeded(answer, minimumMicro, makeError);
      open++;
      let isOver = false;
      const once = (ending: keyof typeof ended, work: () => Promise<unknown>): void => {
        if (isOver) return;
        isOver = true;
        open--;
        ended[ending]++;
        write(holdId, orgId, work);
      };
      return {
        id: holdId,
        grantedMicro,
        began: (estimateMicro) => progress.began(holdId, estimateMicro),
        settle: (settlement) =>
          once(settlement.outcome, async () => {
            const { warning, amountMicro, uncoveredMicro: beyond } = await ledger.settle(holdId, settlement);
            settledMicro += amountMicro;
            uncoveredMicro += beyond;
            if (beyond > 0) parts.uncovered(orgId, beyond);
            if (warning) parts.warned(orgId, warning);
          }),
        release: () => once('released', () => ledger.release(holdId)),
      };
    },

    figures: () => ({ open, ended, settledMicro, uncoveredMicro }),

    async written(ms) {
      await withLimit(writing.idle(), ms, () => undefined);
    },
  };
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      await work();
      return;
    } catch (fault) {
      if (left <= 1) throw fault;
      await new Promise((resolve) => setTimeout(resolve, backoffMs(tries - left, waits)).unref());
    }
  }
}

function exceeded({ whose, capMicro, usedMicro, heldMicro, periodEnd }: Reserved, neededMicro: number, makeError: MakeError): KernelError {
  const leftMicro = Math.max(0, capMicro - usedMicro - heldMicro);
  const renewed = periodEnd && capMicro >= neededMicro ? ` A new period begins on ${periodEnd.toISOString().slice(0, 10)}.` : '';
  return makeError('BUDGET_EXCEEDED', {
    whose: whose === 'member' ? 'your share of the wallet' : 'the wallet of the organisation',
    left: credits(leftMicro),
    needed: credits(neededMicro),
    how: `Ask an owner for a higher cap, use your own key, or request less output.${renewed}`,
    remainingMicro: leftMicro,
    neededMicro,
    capMicro,
    usedMicro,
    heldMicro,
    ...(periodEnd ? { periodEnd: periodEnd.toISOString() } : {}),
  });
}

/** Formats credits for display: `0.0312`. */
export const credits = (micro: number): string => String(micro / 1_000_000);
