// Defines the contract of explanations, which find the known messages, files, pages, notes, hooks and plugins that caused a text, call or turn.
import type { Static } from 'typebox';
import type { Frozen } from '#lib/values';
import type { answerSchema, questionSchema } from './why-schema.ts';

/** The subject of a question. If several fields are set, the narrowest one is used: note, source, text, call, message, section, turn. */
export type WhyQuestion = Frozen<Static<typeof questionSchema>>;
/** A message, action or decision, with its author. */
export type WhyPart = WhyAnswer['parts'][number];
/** A source of a text. */
export type WhySource = WhyAnswer['sources'][number];
/** An item derived from the subject. */
export type WhyDerived = WhyAnswer['derived'][number];
export type WhyAnswer = Frozen<Static<typeof answerSchema>> & {
  /** The note or text that is the subject of the question, if it can be deleted. */
  readonly own?: Frozen<Static<typeof answerSchema>>['derived'];
};

/**
 * Contribution point `kept_texts`: texts that a plugin stores for the model outside the conversation and the memory, such as notes in a folder. An explanation
 * lists each text that was reported with {@link Why.kept} together with its sources, and can delete it.
 */
export interface KeptTexts {
  /** Unique name. It is stored in records, so it must not change between versions. */
  readonly name: string;
  /** Display name of the store, for use within a sentence, such as `the vault`. */
  readonly where: string;
  /** Returns the text with that id; `undefined` if there is none. Rejects if this cannot be determined now. Called only for texts in a question. */
  find(id: string): Promise<KeptText | undefined>;
  /** Permanently deletes only that version. Resolves with `false` and deletes nothing if the text is missing, was changed, or belongs to the user. */
  drop(id: string, version: string): Promise<boolean>;
}

/** The current version of a text. */
export interface KeptText {
  readonly text: string;
  /** Value that changes whenever the text changes. */
  readonly version: string;
  /** Whether the user wrote or changed the text. */
  readonly isPersons: boolean;
}

/** A text that a call stored. */
export interface KeepsText {
  /** Name of the {@link KeptTexts}. */
  readonly keeper: string;
  /** Id that stays the same as long as the text exists. */
  readonly id: string;
  /** Words that the call wrote: the whole text or part of it. */
  readonly text: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
}

export interface Why {
  /**
   * Explains the subject of a question. Rejects with `WHY_ERR_NOT_FOUND`, and in the same cases as `chats.peek`. Reads journals and records; writes nothing.
   */
  explain(question: WhyQuestion): Promise<WhyAnswer>;
  /** Finds the sources of a stored text in the background. Must be called once for each call that wrote to the text. */
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
