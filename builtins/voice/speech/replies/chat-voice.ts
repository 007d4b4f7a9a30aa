// Reads the texts of one chat aloud while the model still writes. Each claim, release and stop ends the epoch, and with it all queued parts.
import type { KernelError } from 'agent-harness/kernel';
import type { Clip } from '../clips/clip-maker.ts';
import { SpeechEpoch, type SpeechEpochParts, type SpokenMessage, type SpokenPart } from './speech-epoch.ts';
import type { SpeakerChanged } from '../contract.ts';
import { createSpokenReader, type SpokenReader } from '../spoken/read-blocks.ts';
import type { SpokenSentence } from '../spoken/sentence-buffer.ts';

export interface ChatVoiceParts extends Omit<SpeechEpochParts, 'refuse'> {
  readonly makeTooMany: () => KernelError;
  tellSpeaker(event: SpeakerChanged): void;
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

interface Message extends SpokenMessage {
  readonly reader: SpokenReader;
  /** Parts of a discarded attempt that were already spoken. */
  repeated: string[];
  readonly voids?: string;
  readonly said: string[];
}

export function createChatVoice(parts: ChatVoiceParts): ChatVoice {
  const { chatId } = parts;
  let speakerId: string | undefined;
  // Epoch ids are never reused across processes.
  let epoch = newEpoch(Date.now());
  let before: SpeechEpoch | undefined;
  let message: Message | undefined;
  /** Turn whose remaining text is not spoken. */
  let mutedTurn: string | undefined;
  let mutedMessage: string | undefined;
  let runningTurn: string | undefined;
  let refusedTurn: string | undefined;
  let voided: Pick<Message, 'messageId' | 'said'> | undefined;

  function newEpoch(number: number): SpeechEpoch {
    return new SpeechEpoch(number, speakerId, { ...parts, refuse });
  }

  /** Reports the refusal once per turn. */
  function refuse(turnId: string): KernelError | undefined {
    if (refusedTurn === turnId) return undefined;
    refusedTurn = turnId;
    return parts.makeTooMany();
  }

  function next(): void {
    before = epoch;
    epoch.end();
    epoch = newEpoch(Math.max(Date.now(), epoch.number + 1));
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
      if (of.voids !== undefined) epoch.drop(of.voids);
      return true;
    });
    if (fresh.length > 0) epoch.add(fresh, of);
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
      return epoch.say(texts, turnId, signal);
    },
    fetched: (clipId) => epoch.fetched(clipId),
    saidIn: (number) => [epoch, before].find((one) => one?.number === number)?.said,
    hasMore: (number, seq) => number === epoch.number && (message !== undefined || epoch.hasMore(seq)),
  };
}
