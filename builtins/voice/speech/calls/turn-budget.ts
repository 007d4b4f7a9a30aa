// Limits the number and the rate of the speak calls in a turn.
import { setTimeout as delay } from 'node:timers/promises';
import { createSerialQueues } from '#lib/async';
import { BoundedMap } from '#lib/values';
import type { SpeechSettings } from '../config.ts';
import type { MakeError } from '../errors.ts';

export interface TurnBudget {
  /** Counts a call of a turn and waits for the minimum interval. Rejects with `TOO_MANY_CALLS`, and with the signal's reason. */
  take(turnId: string, signal: AbortSignal): Promise<void>;
  /** Counts text that is read aloud, in UTF-16 code units. Returns whether it may be spoken. */
  read(turnId: string, chars: number): boolean;
}

interface Spent {
  calls: number;
  /** Characters of replies that were read aloud; calls are counted separately. */
  chars: number;
  lastAt: number;
}

/** Number of turns whose budget is kept, because speech may outlast its turn. */
const mostTurns = 256;

export function createTurnBudget(settings: SpeechSettings, makeError: MakeError): TurnBudget {
  const turns = new BoundedMap<string, Spent>(mostTurns);
  const queues = createSerialQueues<string>();

  function spentBy(turnId: string): Spent {
    const spent = turns.get(turnId) ?? { calls: 0, chars: 0, lastAt: 0 };
    turns.set(turnId, spent);
    return spent;
  }

  const callsOf = ({ calls, chars }: Spent): number => calls + Math.ceil(chars / settings.maxChars);

  return {
    take(turnId, signal) {
      const spent = spentBy(turnId);
      if (callsOf(spent) >= settings.maxCalls) return Promise.reject(makeError('TOO_MANY_CALLS', { limit: settings.maxCalls }));
      spent.calls++;
      return queues.run(turnId, async () => {
        const wait = spent.lastAt + settings.minIntervalMs - Date.now();
        // A clock that was set back must not extend the wait.
        if (wait > 0) await delay(Math.min(wait, settings.minIntervalMs), undefined, { signal });
        spent.lastAt = Date.now();
      });
    },
    read(turnId, chars) {
      const spent = spentBy(turnId);
      if (callsOf({ ...spent, chars: spent.chars + chars }) > settings.maxCalls) return false;
      spent.chars += chars;
      return true;
    },
  };
}
