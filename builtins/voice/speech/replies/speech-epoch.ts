// Produces the queued parts of one epoch in order, at most a few ahead of the player, and reports each part. Reports nothing after the epoch has ended.
import type { KernelError } from 'agent-harness/kernel';
import type { Clip } from '../clips/clip-maker.ts';
import type { SpeakFailed, Spoke } from '../contract.ts';
import { createSegmentPacker, type SegmentPacker } from '../spoken/pack-segments.ts';
import type { SpokenSentence } from '../spoken/sentence-buffer.ts';

export interface SpeechEpochParts {
  readonly chatId: string;
  make(text: string, turnId: string | undefined, signal: AbortSignal): Promise<Clip>;
  /** Returns whether that much text of a reply may still be spoken in the turn. */
  allows(turnId: string, chars: number): boolean;
  /** Returns the error to report for a turn whose limit is reached; `undefined` if it was reported before. */
  refuse(turnId: string): KernelError | undefined;
  tell(event: Spoke): void;
  reportFailure(event: SpeakFailed): void;
}

export interface SpokenPart {
  readonly seq: number;
  readonly text: string;
}

/** Message that the parts of a reply belong to. */
export interface SpokenMessage {
  readonly messageId: string;
  readonly turnId: string;
}

interface Order {
  readonly texts: string[];
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly clips: Clip[];
  resolve(clips: readonly Clip[]): void;
  reject(fault: unknown): void;
}

type Place = Omit<Spoke, 'clipId' | 'url' | 'durationSec'> & { readonly turnId: string };

/** Maximum number of parts produced ahead of the player, so that a reply without a listener costs nothing. */
const mostAhead = 4;

export class SpeechEpoch {
  readonly number: number;
  readonly said: SpokenPart[] = [];
  readonly #parts: SpeechEpochParts;
  readonly #speakerId: string | undefined;
  readonly #ending = new AbortController();
  /** Queued sentences of replies and calls, in order. */
  #line: (Order | { readonly packer: SegmentPacker; readonly message: SpokenMessage })[] = [];
  readonly #unfetched = new Set<string>();
  #seq = 0;
  /** Number of the last part reported as playable or failed. */
  #lastTold = -1;
  #isPumping = false;

  constructor(number: number, speakerId: string | undefined, parts: SpeechEpochParts) {
    this.number = number;
    this.#speakerId = speakerId;
    this.#parts = parts;
  }

  /** Queues sentences of a message. */
  add(sentences: readonly SpokenSentence[], message: SpokenMessage): void {
    const last = this.#line.at(-1);
    if (last && 'packer' in last && last.message.messageId === message.messageId) last.packer.add(sentences);
    else {
      // Only the first segment is short, as the user waits for it.
      const packer = createSegmentPacker(this.#line.length === 0 && !this.#isPumping);
      packer.add(sentences);
      this.#line.push({ packer, message });
    }
    void this.#pump();
  }

  /** Queues segments. Resolves with their clips when all are produced; rejects if one fails. */
  say(texts: readonly string[], turnId: string, signal: AbortSignal): Promise<readonly Clip[]> {
    return new Promise((resolve, reject) => {
      this.#line.push({ texts: [...texts], turnId, signal, clips: [], resolve, reject });
      void this.#pump();
    });
  }

  /** Removes the queued parts of a message. */
  drop(messageId: string): void {
    this.#line = this.#line.filter((one) => 'texts' in one || one.message.messageId !== messageId);
  }

  fetched(clipId: string): void {
    if (this.#unfetched.delete(clipId)) void this.#pump();
  }

  /** Returns whether another queued part may follow. */
  hasMore(seq: number): boolean {
    return this.#isPumping || this.#line.length > 0 || seq < this.#lastTold;
  }

  end(): void {
    this.#ending.abort(new Error('the spoken reply has no listener any more'));
    for (const one of this.#line) if ('texts' in one) one.reject(this.#ending.signal.reason);
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (!this.#ending.signal.aborted && this.#mayGoOn()) {
      const [head] = this.#line;
      if (!head) break;
      if ('texts' in head && head.signal.aborted) {
        this.#line.shift();
        head.reject(head.signal.reason);
        continue;
      }
      const text = 'texts' in head ? head.texts.shift() : head.packer.take()?.text;
      if (text === undefined) {
        this.#line.shift();
        if ('texts' in head) head.resolve(head.clips);
        continue;
      }
      if ('texts' in head) await this.#speakOrder(head, text);
      else await this.#speakReply(head.message, text);
    }
    this.#isPumping = false;
  }

  #mayGoOn(): boolean {
    return this.#unfetched.size < mostAhead || this.#line.some((one) => 'texts' in one);
  }

  async #speakReply({ messageId, turnId }: SpokenMessage, text: string): Promise<void> {
    const place = this.#placeOf({ turnId, messageId, text });
    try {
      if (!this.#parts.allows(turnId, text.length)) return this.#refuse(place);
      await this.#sound(await this.#parts.make(text, turnId, this.#ending.signal), place);
    } catch (fault) {
      this.#fail(place, fault);
    }
  }

  async #speakOrder(order: Order, text: string): Promise<void> {
    const place = this.#placeOf({ turnId: order.turnId, text });
    try {
      const clip = await this.#parts.make(text, order.turnId, AbortSignal.any([this.#ending.signal, order.signal]));
      order.clips.push(clip);
      await this.#sound(clip, place);
    } catch (fault) {
      this.#fail(place, fault);
      order.reject(fault);
    }
  }

  #placeOf({ turnId, messageId, text }: Pick<Place, 'turnId' | 'messageId' | 'text'>): Place {
    const seq = this.#seq++;
    this.said.push({ seq, text });
    const message = messageId === undefined ? {} : { messageId };
    const speaker = this.#speakerId === undefined ? {} : { speakerId: this.#speakerId };
    return { chatId: this.#parts.chatId, turnId, ...message, ...speaker, epoch: this.number, seq, text };
  }

  /** Reports a clip when it begins. Resolves when it is complete. */
  async #sound(clip: Clip, place: Place): Promise<void> {
    const { durationSec } = await clip.begun;
    if (!this.#ending.signal.aborted) {
      // A player may have cached an existing clip and not fetch it again.
      if (!clip.isCached) this.#unfetched.add(clip.clipId);
      this.#lastTold = place.seq;
      this.#parts.tell({ ...place, clipId: clip.clipId, url: clip.url, durationSec });
    }
    await clip.made;
  }

  #fail(place: Place, fault: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#lastTold = place.seq;
    const { code, message: why } = fault as { code?: unknown; message?: unknown };
    this.#parts.reportFailure({ ...place, code: typeof code === 'string' ? code : 'internal', message: String(why) });
  }

  #refuse(place: Place): void {
    const refusal = this.#parts.refuse(place.turnId);
    if (!refusal) return;
    this.#lastTold = place.seq;
    this.#parts.reportFailure({ ...place, code: refusal.code, message: refusal.message });
  }
}
