// Adds a note for the model about how much of an interrupted reply the user heard.
import { textEnd } from '#lib/text';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { SpokenPart } from './speech-epoch.ts';

export interface InterruptionNotes {
  note(chatId: string, said: readonly SpokenPart[], seq: number, heardChars: number, isByVoice: boolean): void;
  /** Adds the note in each round of the running turn or the next one. */
  tell(prompt: Prompt, turn: Turn): Prompt | undefined;
  forget(chatId: string): void;
}

/** Maximum length of the quoted end of the text. */
const longestQuote = 200;

export function createInterruptionNotes(): InterruptionNotes {
  const notes = new Map<string, { readonly text: string; turnId?: string }>();
  return {
    note(chatId, said, seq, heardChars, isByVoice) {
      const heard = said.filter((part) => part.seq < seq).map(({ text }) => text);
      const last = said.find((part) => part.seq === seq)?.text.slice(0, heardChars) ?? '';
      notes.set(chatId, { text: wordsOf([...heard, last].join(' ').trim(), isByVoice) });
    },
    tell(prompt, turn) {
      const note = notes.get(turn.chatId);
      if (!note || !turn.isRoot) return undefined;
      note.turnId ??= turn.turnId;
      if (note.turnId === turn.turnId) return { ...prompt, tail: [...prompt.tail, { role: 'system', text: note.text }] };
      notes.delete(turn.chatId);
      return undefined;
    },
    forget: (chatId) => void notes.delete(chatId),
  };
}

function wordsOf(heard: string, isByVoice: boolean): string {
  const how = isByVoice ? 'spoke while your reply was read aloud' : 'stopped your reply while it was read aloud';
  if (heard === '') return `The user ${how}, before they heard any of it. Do not assume they know its content.`;
  const quote = heard.length > longestQuote ? `… ${textEnd(heard, longestQuote).trim()}` : heard;
  // Quoted as a JSON string, because a model wrote the text, possibly after reading external content.
  return `The user ${how}. They heard it up to: ${JSON.stringify(quote)}. Do not assume they know the rest.`;
}
