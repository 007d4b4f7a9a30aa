// Waits for the rest of a reply after all received clips were played; the server reports whether more will follow.
import type { Client } from 'agent-harness/client';
import type { SpokenClip } from './clip-order.ts';

export interface AwaitedRest {
  /** Last clip played of a reply that may continue. */
  readonly last: SpokenClip | undefined;
  /** Starts waiting after a sentence that has no successor yet. */
  begin(heard: SpokenClip): void;
  /** Called for a part that cannot be played. */
  skip(place: Pick<SpokenClip, 'chatId' | 'epoch' | 'seq'>): void;
  /** Requests the state again after reconnecting to the server. */
  askAgain(): void;
  end(): void;
}

/** @param onOver called when nothing more will follow */
export function createAwaitedRest(client: Pick<Client, 'call' | 'open'>, onOver: () => void): AwaitedRest {
  let last: SpokenClip | undefined;
  let upTo = 0;
  let isAsked = false;
  let question = 0;
  let leave = (): void => undefined;

  function end(): void {
    leave();
    leave = () => undefined;
    last = undefined;
    isAsked = false;
    question++;
  }

  /** Requests the state after each turn ends, because a running turn may write more. */
  function ask(): void {
    if (!last) return;
    if (client.open(last.chatId).state.get().running !== undefined) return void (isAsked = false);
    if (isAsked) return;
    isAsked = true;
    const own = ++question;
    const { chatId, epoch, seq, text } = last;
    client.call('POST /api/tts/heard', { body: { chatId, epoch, seq: upTo, heardChars: upTo === seq ? text.length : 0, reason: 'finished' } }).then(
      ({ more }) => {
        if (own !== question || more) return;
        end();
        onOver();
      },
      (fault: unknown) => {
        // Retries a failed request after reconnecting.
        if (own !== question || (fault as { status?: unknown }).status === 0) return;
        end();
        onOver();
      },
    );
  }

  function askAgain(): void {
    isAsked = false;
    ask();
  }

  return {
    get last() {
      return last;
    },
    begin(heard) {
      end();
      last = heard;
      upTo = heard.seq;
      leave = client.open(heard.chatId).state.subscribe(ask);
      ask();
    },
    skip({ chatId, epoch, seq }) {
      if (last?.chatId !== chatId || last.epoch !== epoch) return;
      upTo = Math.max(upTo, seq);
      askAgain();
    },
    askAgain,
    end,
  };
}
