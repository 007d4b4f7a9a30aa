// Assembles the modules of speech; loaded on first use.
import { textStart } from '#lib/text';
import type { Emitter } from 'agent-harness/kernel';
import type { AudioEngines } from 'agent-harness/builtins/voice/audio-engines';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import { createTurnBudget, type TurnBudget } from './calls/turn-budget.ts';
import { createClipMaker, type Clip, type ClipMaker } from './clips/clip-maker.ts';
import { createClipStore, type ClipStore } from './clips/clip-store.ts';
import type { SpeechSettings } from './config.ts';
import type { MakeError } from './errors.ts';
import { createReplies, type Replies } from './replies/replies.ts';
import { packAll } from './spoken/pack-segments.ts';
import { createSpokenReader } from './spoken/read-blocks.ts';
import type { SpokenSentence } from './spoken/sentence-buffer.ts';

export interface SpeechCode {
  readonly maker: ClipMaker;
  readonly store: ClipStore;
  readonly replies: Replies;
  readonly budget: TurnBudget;
  /** Splits a text into spoken parts, up to the sentence limit of a call. */
  partsOf(text: string): SpokenText;
}

export interface SpokenText {
  readonly parts: readonly string[];
  /** Covered length of the text in UTF-16 code units; the rest needs another call. */
  readonly taken: number;
}

export interface SpeechParts {
  readonly settings: SpeechSettings;
  readonly engines: () => AudioEngines;
  readonly chats: Chats;
  readonly storage: Storage;
  readonly emitter: Emitter;
  readonly makeError: MakeError;
  isRead(chatId: string): boolean;
  warn(message: string): void;
}

export function openSpeech({ settings, engines, chats, storage, emitter, makeError, isRead, warn }: SpeechParts): SpeechCode {
  const store = createClipStore({ storage, chats, mostBytes: () => settings.cacheMegabytes * 1024 * 1024, warn });
  const maker = createClipMaker({ engines, store, storage, makeError, warn });
  const budget = createTurnBudget(settings, makeError);
  const make = (chatId: string, text: string, turnId: string | undefined, signal: AbortSignal): Promise<Clip> =>
    maker.make({ chatId, text, voice: settings.voice, ...(turnId === undefined ? {} : { turnId }) }, signal);
  const replies = createReplies({
    ...{ emitter, make, isRead, prepare: maker.prepare },
    allows: (turnId, chars) => budget.read(turnId, chars),
    makeTooMany: () => makeError('TOO_MANY_CALLS', { limit: settings.maxCalls }),
  });
  return { maker, store, replies, budget, partsOf: (text) => partsOf(text, settings.maxChars) };
}

function partsOf(text: string, mostChars: number): SpokenText {
  const reader = createSpokenReader();
  const all = [...reader.add(text), ...reader.end()];
  const fitting: SpokenSentence[] = [];
  let chars = 0;
  for (const sentence of all) {
    chars += sentence.text.length + 1;
    if (chars > mostChars + 1) break;
    fitting.push(sentence);
  }
  // Truncates a single sentence that is too long.
  if (fitting.length === 0 && all[0]) fitting.push({ ...all[0], text: textStart(all[0].text, mostChars) });
  const isWhole = fitting.length === all.length;
  return { parts: packAll(fitting).map((part) => part.text), taken: isWhole ? text.length : (fitting.at(-1)?.end ?? text.length) };
}
