// Shows the spoken text and its state on the page.
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { SpeechState } from './speech-state.ts';

export interface SpeechDisplay {
  readonly isSpeaking: ValueStore<boolean>;
  show(change: Partial<SpeechState>): void;
  /** Shows a text; `undefined` changes only whether the page speaks. */
  showNow(is: 'playing' | 'blocked', text: Pick<NonNullable<SpeechState['now']>, 'chatId' | 'messageId' | 'text'> | undefined): void;
  /** Marks the shown text as preparing or paused. */
  hold(is: 'preparing' | 'paused'): void;
  clear(this: void): void;
}

export function createSpeechDisplay(state: ValueStore<SpeechState>): SpeechDisplay {
  const isSpeaking = createValue(false);
  const show = (change: Partial<SpeechState>): void => state.set({ ...state.get(), ...change });

  return {
    isSpeaking,
    show,
    showNow(is, item) {
      isSpeaking.set(is === 'playing');
      if (!item) return;
      const { chatId, messageId, text } = item;
      show({ now: { chatId, text, is, ...(messageId === undefined ? {} : { messageId }) } });
    },
    hold(is) {
      isSpeaking.set(false);
      const { now } = state.get();
      if (now) show({ now: { ...now, is } });
    },
    clear() {
      isSpeaking.set(false);
      show({ now: undefined });
    },
  };
}
