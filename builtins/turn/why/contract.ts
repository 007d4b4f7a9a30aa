// The contract of explanations: the messages, files, pages, notes, hooks and plugins that caused something, as far as known.
import type { Static } from 'typebox';
import type { Frozen } from '#lib/values';
import type { answerSchema, questionSchema } from './why-schema.ts';

/** The subject of a question, also of a follow-up question. The narrowest field counts: note, source, text, call, message, section, turn. */
export type WhyQuestion = Frozen<Static<typeof questionSchema>>;
/** A message, action or decision, with its author. */
export type WhyPart = WhyAnswer['parts'][number];
/** A source of a text. */
export type WhySource = WhyAnswer['sources'][number];
/** Something derived from the subject. */
export type WhyDerived = WhyAnswer['derived'][number];
export type WhyAnswer = Frozen<Static<typeof answerSchema>> & {
  /** The note or text of the question, if it can be deleted. */
  readonly own?: Frozen<Static<typeof answerSchema>>['derived'];
};

/**
 * Contribution point `kept_texts`: texts that a plugin stores for the model outside of the conversation and the memory, such as notes in a folder. Each
 * one reported by {@link Why.kept} is listed with its sources, and can be deleted with them.
 */
export interface KeptTexts {
  /** Unique. Stored in records, so it stays the same across versions. */
  readonly name: string;
  /** Display name inside a sentence: `the vault`. */
  readonly where: string;
  /** `undefined` if there is none of that id. Rejects if unknown now. Called only for texts in a question. */
  find(id: string): Promise<KeptText | undefined>;
  /** Permanently deletes exactly that version. `false`: it is gone, changed, or the user's own, and nothing was done. */
  drop(id: string, version: string): Promise<boolean>;
}

/** The current version of a text. */
export interface KeptText {
  readonly text: string;
  /** Changes with any change of the text. */
  readonly version: string;
  /** The user wrote or changed it. */
  readonly isPersons: boolean;
}

/** A text stored by a call. */
export interface KeepsText {
  /** The name of the {@link KeptTexts}. */
  readonly keeper: string;
  /** Constant while the text exists. */
  readonly id: string;
  /** The text written by the call; all of the text, or a part of it. */
  readonly text: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
}

export interface Why {
  /** Rejects with `WHY_ERR_NOT_FOUND`, and as `chats.peek` does. Reads journal and records; writes nothing. */
  explain(question: WhyQuestion): Promise<WhyAnswer>;
  /** Finds the sources of a stored text, in the background. Called once for each call that wrote it. */
  kept(text: KeepsText): void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    why: Why;
  }
  interface ContributionPoints {
    kept_texts: KeptTexts;
  }
}
