// Reads the texts of one chat aloud in order, part by part, while the model still writes. An epoch groups the parts; after its end, none of them is produced
// or reported.
import type { KernelError } from 'agent-harness/kernel';
import type { Clip } from '../clips/clip-maker.ts';
import type { SpeakFailed, SpeakerChanged, Spoke } from '../contract.ts';
import { createSegmentPacker, type SegmentPacker } from '../spoken/pack-segments.ts';
import { createSpokenReader, type SpokenReader, type SpokenSentence } from '../spoken/read-blocks.ts';

export interface ChatVoiceParts {
  readonly chatId: string;
  make(text: string, turnId: string | undefined, signal: AbortSignal): Promise<Clip>;
  /** Returns whether that much text of a reply may still be spoken in the turn. */
  allows(turnId: string, chars: number): boolean;
  readonly makeTooMany: () => KernelError;
  tell(event: Spoke): void;
  reportFailure(event: SpeakFailed): void;
  tellSpeaker(event: SpeakerChanged): void;
}

export interface SpokenPart {
  readonly seq: number;
  readonly text: string;
}

export interface ChatVoice {
  readonly speakerId: string | undefined;
  readonly epoch: number;
  claim(speakerId: string): void;
  /** Handles the loss of the last listener. */
  release(): void;
  turnBegins(turnId: string): void;
  text(event: { readonly turnId: string; readonly messageId: string; readonly offset: number; readonly delta: string }): void;
  /** Handles the end of the written text: a call or the end of the turn follows. */
  pause(): void;
  /** Handles a discarded message that the model repeats. */
  repeats(): void;
  /** Ends the epoch. `isTurnOver`: nothing more of the running turn is spoken. */
  stop(reason: SpeakerChanged['reason'], isTurnOver: boolean): void;
  /** Queues segments. Resolves with their clips when all are produced; rejects if one fails. */
  say(texts: readonly string[], turnId: string, signal: AbortSignal): Promise<readonly Clip[]>;
  fetched(clipId: string): void;
  /** Returns the spoken parts of the current or previous epoch. */
  saidIn(epoch: number): readonly SpokenPart[] | undefined;
  /** Returns whether another part may follow, as far as the model has written. */
  hasMore(epoch: number, seq: number): boolean;
}

interface Order {
  readonly texts: string[];
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly clips: Clip[];
  resolve(clips: readonly Clip[]): void;
  reject(fault: unknown): void;
}

interface Message {
  readonly messageId: string;
  readonly turnId: string;
  readonly reader: SpokenReader;
  /** Parts that a discarded attempt already said. */
  repeated: string[];
  readonly voids?: string;
  readonly said: string[];
}

interface Epoch {
  readonly number: number;
  readonly ending: AbortController;
  /** Queued sentences of replies and calls, in order. */
  readonly line: (Order | { readonly packer: SegmentPacker; readonly message: Pick<Message, 'messageId' | 'turnId'> })[];
  readonly said: SpokenPart[];
  readonly unfetched: Set<string>;
  seq: number;
  /** Number of the last part reported as playable or failed. */
  lastTold: number;
  isPumping: boolean;
}

/** Maximum number of parts produced ahead of the player, so that a reply without a listener costs nothing. */
const mostAhead = 4;

export function createChatVoice(parts: ChatVoiceParts): ChatVoice {
  const { chatId } = parts;
  let speakerId: string | undefined;
  // Epoch ids are never reused across processes.
  let epoch = createEpoch(Date.now());
  let before: Epoch | undefined;
  let message: Message | undefined;
  /** Turn whose remaining text is not spoken. */
  let mutedTurn: string | undefined;
  let mutedMessage: string | undefined;
  let runningTurn: string | undefined;
  let refusedTurn: string | undefined;
  let voided: Pick<Message, 'messageId' | 'said'> | undefined;

  function next(): void {
    before = epoch;
    epoch.ending.abort(new Error('the spoken reply has no listener any more'));
    for (const one of epoch.line) if ('texts' in one) one.reject(epoch.ending.signal.reason);
    epoch = createEpoch(Math.max(Date.now(), epoch.number + 1));
    message = undefined;
  }

  function emitSpeaker(reason: SpeakerChanged['reason']): void {
    parts.tellSpeaker({ chatId, speakerId: speakerId ?? null, epoch: epoch.number, reason });
  }

  function queue(sentences: readonly SpokenSentence[], of: Message): void {
    const fresh = sentences.filter(({ text }) => {
      of.said.push(text);
      if (of.repeated.length === 0) return true;
      if (of.repeated.shift() === text) return false;
      of.repeated = [];
      drop(of.voids);
      return true;
    });
    if (fresh.length === 0) return;
    const last = epoch.line.at(-1);
    if (last && 'packer' in last && last.message.messageId === of.messageId) last.packer.add(fresh);
    else {
      // Only the first segment is short, as the user waits for it.
      const packer = createSegmentPacker(epoch.line.length === 0 && !epoch.isPumping);
      packer.add(fresh);
      epoch.line.push({ packer, message: of });
    }
    void pump(epoch);
  }

  /** Removes queued parts of a discarded attempt. */
  function drop(messageId: string | undefined): void {
    const kept = epoch.line.filter((one) => 'texts' in one || one.message.messageId !== messageId);
    epoch.line.splice(0, epoch.line.length, ...kept);
  }

  const mayGoOn = (of: Epoch): boolean => of.unfetched.size < mostAhead || of.line.some((one) => 'texts' in one);

  async function pump(of: Epoch): Promise<void> {
    if (of.isPumping) return;
    of.isPumping = true;
    while (!of.ending.signal.aborted && mayGoOn(of)) {
      const [head] = of.line;
      if (!head) break;
      if ('texts' in head && head.signal.aborted) {
        of.line.shift();
        head.reject(head.signal.reason);
        continue;
      }
      const text = 'texts' in head ? head.texts.shift() : head.packer.take()?.text;
      if (text === undefined) {
        of.line.shift();
        if ('texts' in head) head.resolve(head.clips);
        continue;
      }
      if ('texts' in head) await speakOrder(of, head, text);
      else await speakReply(of, head.message, text);
    }
    of.isPumping = false;
  }

  async function speakReply(of: Epoch, { messageId, turnId }: Pick<Message, 'messageId' | 'turnId'>, text: string): Promise<void> {
    const place = { chatId, turnId, messageId, ...bySpeaker(), epoch: of.number, seq: of.seq++, text };
    of.said.push({ seq: place.seq, text });
    try {
      if (!parts.allows(turnId, text.length)) return refuse(of, place);
      const clip = await parts.make(text, turnId, of.ending.signal);
      await sound(of, clip, place);
      await clip.made;
    } catch (fault) {
      fail(of, place, fault);
    }
  }

  async function speakOrder(of: Epoch, order: Order, text: string): Promise<void> {
    const place = { chatId, turnId: order.turnId, ...bySpeaker(), epoch: of.number, seq: of.seq++, text };
    of.said.push({ seq: place.seq, text });
    try {
      const clip = await parts.make(text, order.turnId, AbortSignal.any([of.ending.signal, order.signal]));
      order.clips.push(clip);
      await sound(of, clip, place);
      await clip.made;
    } catch (fault) {
      fail(of, place, fault);
      order.reject(fault);
    }
  }

  const bySpeaker = (): { readonly speakerId?: string } => (speakerId === undefined ? {} : { speakerId });

  type Place = Omit<Spoke, 'clipId' | 'url' | 'durationSec'>;

  async function sound(of: Epoch, clip: Clip, place: Place): Promise<void> {
    const { durationSec } = await clip.begun;
    if (of.ending.signal.aborted) return;
    // A player may have cached an existing clip and not fetch it again.
    if (!clip.isCached) of.unfetched.add(clip.clipId);
    of.lastTold = place.seq;
    parts.tell({ ...place, clipId: clip.clipId, url: clip.url, durationSec });
  }

  function fail(of: Epoch, place: Place, fault: unknown): void {
    if (of.ending.signal.aborted) return;
    of.lastTold = place.seq;
    const { code, message: why } = fault as { code?: unknown; message?: unknown };
    parts.reportFailure({ ...place, code: typeof code === 'string' ? code : 'internal', message: String(why) });
  }

  /** Reports the refusal once per turn. */
  function refuse(of: Epoch, place: Place): void {
    if (refusedTurn === place.turnId) return;
    refusedTurn = place.turnId;
    of.lastTold = place.seq;
    const { code, message: why } = parts.makeTooMany();
    parts.reportFailure({ ...place, code, message: why });
  }

  function pause(): void {
    if (!message) return;
    const over = message;
    message = undefined;
    queue(over.reader.end(), over);
  }

  return {
    get speakerId() {
      return speakerId;
    },
    get epoch() {
      return epoch.number;
    },
    claim(wanted) {
      if (speakerId === wanted) return;
      speakerId = wanted;
      next();
      emitSpeaker('claimed');
    },
    release() {
      if (speakerId === undefined) return;
      speakerId = undefined;
      next();
      emitSpeaker('released');
    },
    turnBegins(turnId) {
      runningTurn = turnId;
    },
    text({ turnId, messageId, offset, delta }) {
      if (speakerId === undefined || turnId === mutedTurn || messageId === mutedMessage) return;
      runningTurn = turnId;
      if (message?.messageId !== messageId) {
        pause();
        // Listening started within the text, where the start of the sentence is unknown.
        if (offset > 0) {
          mutedMessage = messageId;
          return;
        }
        const again = voided ? { repeated: [...voided.said], voids: voided.messageId } : { repeated: [] };
        voided = undefined;
        message = { messageId, turnId, reader: createSpokenReader(), said: [], ...again };
      }
      queue(message.reader.add(delta), message);
    },
    pause,
    repeats() {
      voided = message;
      message = undefined;
    },
    stop(reason, isTurnOver) {
      mutedMessage = message?.messageId ?? mutedMessage;
      mutedTurn = isTurnOver ? runningTurn : undefined;
      next();
      emitSpeaker(reason);
    },
    say(texts, turnId, signal) {
      pause();
      return new Promise((resolve, reject) => {
        epoch.line.push({ texts: [...texts], turnId, signal, clips: [], resolve, reject });
        void pump(epoch);
      });
    },
    fetched(clipId) {
      if (epoch.unfetched.delete(clipId)) void pump(epoch);
    },
    saidIn: (number) => [epoch, before].find((one) => one?.number === number)?.said,
    hasMore(number, seq) {
      if (number !== epoch.number) return false;
      return message !== undefined || epoch.isPumping || epoch.line.length > 0 || seq < epoch.lastTold;
    },
  };
}

function createEpoch(number: number): Epoch {
  return { number, ending: new AbortController(), line: [], said: [], unfetched: new Set(), seq: 0, lastTold: -1, isPumping: false };
}
