// Manages the chats that this page speaks, and renews its claims at the server. A claim ends when another client speaks the chat.
import type { Client } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import type { ValueStore } from '#page/kit/value-store.ts';
import type { SpeakerNow } from './speech-calls.ts';
import { keepSpoken, withIn, withOut, type SpeechState } from './speech-state.ts';
import { t } from '#page/kit/t.ts';

export interface Claims {
  /** Returns whether this page speaks the chat, including claims that are still being made. */
  isOwn(chatId: string): boolean;
  turn(chatId: string, isOn: boolean): Promise<void>;
  take(now: SpeakerNow): void;
  /** Renews claims after reconnecting, because the server may have lost them. */
  renew(): void;
}

export interface ClaimsParts {
  readonly client: Pick<Client, 'call'>;
  readonly state: ValueStore<SpeechState>;
  readonly speakerId: string;
  /** Stops the chat's speech on this page. */
  silence(chatId: string): void;
}

/** Interval between renewals in milliseconds; a claim that is not renewed ends. */
const renewEveryMs = 20_000;

export function createClaims({ client, state, speakerId, silence }: ClaimsParts): Claims {
  /** Chats for which a claim is being made. */
  const claiming = new Set<string>();
  let renewal: ReturnType<typeof setInterval> | undefined;

  const show = (change: Partial<SpeechState>): void => state.set({ ...state.get(), ...change });

  async function claim(chatId: string, on: boolean): Promise<void> {
    await client.call('PUT /api/tts/speaker', { body: { chatId, speakerId, on } });
  }

  function setOwn(own: ReadonlySet<string>): void {
    keepSpoken(own);
    show({ own });
    clearInterval(renewal);
    if (own.size > 0) renewal = setInterval(renew, renewEveryMs);
  }

  function lose(chatId: string): void {
    const { own, elsewhere } = state.get();
    if (own.has(chatId)) {
      setOwn(withOut(own, chatId));
      silence(chatId);
    }
    show({ elsewhere: withIn(elsewhere, chatId) });
  }

  /** Renews a claim without taking the chat from another client. */
  async function renewOne(chatId: string): Promise<void> {
    const now = await client.call('PUT /api/tts/speaker', { body: { chatId, speakerId, on: true, renew: true } });
    if (now.speakerId !== null && now.speakerId !== speakerId) lose(chatId);
  }

  function renew(): void {
    for (const chatId of state.get().own) renewOne(chatId).catch(() => undefined); // the next renewal may succeed
  }

  return {
    isOwn: (chatId) => claiming.has(chatId) || state.get().own.has(chatId),
    renew,
    take({ chatId, speakerId: claimedBy }) {
      if (claimedBy === speakerId) return;
      if (claimedBy !== undefined) return lose(chatId);
      // The claim expired while the page was suspended.
      if (state.get().own.has(chatId)) void renewOne(chatId).catch(() => undefined);
    },
    async turn(chatId, isOn) {
      const { own, elsewhere } = state.get();
      if ((claiming.has(chatId) || own.has(chatId)) === isOn) return;
      show({ elsewhere: withOut(elsewhere, chatId), problem: undefined });
      // Parts that are spoken after the claim belong to this page. The switch is turned on once the server has confirmed the claim.
      if (isOn) claiming.add(chatId);
      else {
        claiming.delete(chatId);
        setOwn(withOut(own, chatId));
        silence(chatId);
      }
      try {
        await claim(chatId, isOn);
        if (!isOn) return;
        if (claiming.has(chatId)) setOwn(withIn(state.get().own, chatId));
        else await claim(chatId, false); // spoken replies were switched off during the request
      } catch (fault) {
        show({ problem: t('Replies cannot be spoken: {fault}', { fault: messageOf(fault) }) });
        throw fault;
      } finally {
        claiming.delete(chatId);
      }
    },
  };
}
