// Manages the clients that have chats read aloud. If there are none, the output of models is ignored.
import type { Disposable, Emitter } from 'agent-harness/kernel';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { Clip } from '../clips/clip-maker.ts';
import type { SpeakerChanged } from '../contract.ts';
import { createChatVoice, type ChatVoice, type ChatVoiceParts } from './chat-voice.ts';
import { createInterruptionNotes } from './interruption-note.ts';

export interface Heard {
  readonly chatId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly heardChars: number;
  readonly reason: 'barge_in' | 'stop' | 'finished';
}

export interface Replies {
  /**
   * Claims a chat. The newest claim wins, and lasts for {@link claimMs} after each renewal. `isRenewal`: only renews the claim if no other client has claimed
   * the chat.
   */
  claim(chatId: string, speakerId: string, isOn: boolean, isRenewal?: boolean): { readonly speakerId: string | null; readonly epoch: number };
  /** `more`: whether another part of the epoch may follow. */
  heard(heard: Heard): { readonly epoch: number; readonly more: boolean };
  /** Speaks the texts of a tool call; in a chat that is being read aloud, after the queued parts. */
  say(chatId: string, turnId: string, texts: readonly string[], signal: AbortSignal): Promise<readonly Clip[]>;
  fetched(clipId: string): void;
  turnBegins(turn: Turn): void;
  tell(prompt: Prompt, turn: Turn): Prompt | undefined;
  /** Called when the conversation was reset; listeners remain. */
  forget(chatId: string): void;
  /** Handles a deleted chat. */
  end(chatId: string): void;
  close(): void;
}

export interface RepliesParts extends Pick<ChatVoiceParts, 'makeTooMany'> {
  readonly emitter: Emitter;
  make(chatId: string, text: string, turnId: string | undefined, signal: AbortSignal): Promise<Clip>;
  allows: ChatVoiceParts['allows'];
  /** Prepares for a chat that the user will probably listen to. */
  prepare(chatId: string): void;
  /** Returns whether any client follows the events of the chat. */
  isRead(chatId: string): boolean;
}

const claimMs = 60_000;
const checkMs = 2_000;
/** Grace period for reconnecting streams, in milliseconds, during which no more than the usual amount is produced in advance. */
const absentMs = 30_000;

interface Claimed {
  readonly voice: ChatVoice;
  until: number;
  /** Time since which no client follows the chat. */
  absentSince?: number | undefined;
}

export function createReplies({ emitter, make, allows, makeTooMany, isRead, prepare }: RepliesParts): Replies {
  const chats = new Map<string, Claimed>();
  const notes = createInterruptionNotes();
  let listening: readonly Disposable[] = [];
  let timer: NodeJS.Timeout | undefined;

  function chatOf(chatId: string): Claimed {
    const known = chats.get(chatId);
    if (known) return known;
    const voice = createChatVoice({
      chatId,
      make: (text, turnId, signal) => make(chatId, text, turnId, signal),
      allows,
      makeTooMany,
      tell: (event) => emitter.emit('speak', event),
      reportFailure: (event) => emitter.emit('speak_failed', event),
      tellSpeaker: (event) => emitter.emit('speaker', event),
    });
    const made: Claimed = { voice, until: 0 };
    chats.set(chatId, made);
    return made;
  }

  const claimedVoice = (chatId: string): ChatVoice | undefined => {
    const voice = chats.get(chatId)?.voice;
    return voice?.speakerId === undefined ? undefined : voice;
  };

  function listen(): void {
    if (listening.length > 0) return;
    listening = [
      emitter.on('text', (event) => {
        if (event.channel === 'user') claimedVoice(event.chatId)?.text(event);
      }),
      emitter.on('tool_start', ({ chatId }) => claimedVoice(chatId)?.pause()),
      emitter.on('provider_retry', ({ chatId, purpose = 'chat' }) => {
        if (purpose === 'chat') claimedVoice(chatId)?.repeats();
      }),
      emitter.on('message_accepted', ({ chatId, origin }) => {
        if (!origin) claimedVoice(chatId)?.stop('message', false);
      }),
      emitter.on('turn_end', ({ chatId }) => claimedVoice(chatId)?.pause()),
    ];
    timer = setInterval(check, checkMs).unref();
  }

  function unlisten(): void {
    for (const one of listening) void one.dispose();
    listening = [];
    clearInterval(timer);
  }

  function release({ voice }: Claimed): void {
    voice.release();
    if (![...chats.values()].some((one) => one.voice.speakerId !== undefined)) unlisten();
  }

  function check(): void {
    for (const [chatId, claimed] of chats) {
      if (claimed.voice.speakerId === undefined) continue;
      const now = performance.now();
      claimed.absentSince = isRead(chatId) ? undefined : (claimed.absentSince ?? now);
      if (now > claimed.until || now - (claimed.absentSince ?? now) >= absentMs) release(claimed);
    }
  }

  function end(chatId: string): void {
    const claimed = chats.get(chatId);
    notes.forget(chatId);
    if (!claimed) return;
    claimed.voice.stop('released', true);
    release(claimed);
    chats.delete(chatId);
  }

  return {
    claim(chatId, speakerId, isOn, isRenewal = false) {
      const claimed = chatOf(chatId);
      const { voice } = claimed;
      const isTaken = isRenewal && voice.speakerId !== undefined && voice.speakerId !== speakerId;
      if (isOn && !isTaken) {
        claimed.until = performance.now() + claimMs;
        claimed.absentSince = undefined;
        if (voice.speakerId === undefined) prepare(chatId);
        listen();
        voice.claim(speakerId);
      } else if (!isOn && voice.speakerId === speakerId) release(claimed);
      return { speakerId: voice.speakerId ?? null, epoch: voice.epoch };
    },
    heard({ chatId, epoch, seq, heardChars, reason }) {
      const { voice } = chatOf(chatId);
      const said = voice.saidIn(epoch);
      if (said && reason !== 'finished') {
        notes.note(chatId, said, seq, heardChars, reason === 'barge_in');
        if (epoch === voice.epoch) voice.stop(reason, true);
      }
      return { epoch: voice.epoch, more: voice.hasMore(epoch, seq) };
    },
    say: (chatId, turnId, texts, signal) => chatOf(chatId).voice.say(texts, turnId, signal),
    fetched(clipId) {
      for (const { voice } of chats.values()) voice.fetched(clipId);
    },
    turnBegins({ chatId, turnId, signal }) {
      const voice = claimedVoice(chatId);
      if (!voice) return;
      voice.turnBegins(turnId);
      signal.addEventListener('abort', () => claimedVoice(chatId)?.stop('abort' satisfies SpeakerChanged['reason'], true), { once: true });
    },
    tell: (prompt, turn) => notes.tell(prompt, turn),
    forget(chatId) {
      notes.forget(chatId);
      claimedVoice(chatId)?.stop('stop', true);
    },
    end,
    close() {
      unlisten();
      for (const { voice } of chats.values()) voice.release();
    },
  };
}
