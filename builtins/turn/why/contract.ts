// The contract of explanations: the messages, files, pages, notes, hooks and plugins that caused something, as far as known.
import type { NoteScope } from 'agent-harness/builtins/tools/memory';
import type { TextOriginKind } from 'agent-harness/builtins/turn/origins';

/**
 * The subject of a question. With only the chat: the last turn with a model request. The narrowest field counts: note, source, text, call, message, section,
 * turn.
 */
export interface WhyQuestion {
  readonly chatId: string;
  readonly turn?: string;
  /** Id of a tool call, also of a pending one. */
  readonly call?: string;
  /** Id of a message of the user, a plugin, or the model. */
  readonly message?: string;
  /** Section of that turn's prompt. */
  readonly section?: string;
  /** `type:key`. */
  readonly note?: string;
  /** A file, a page, or any other origin: explains what was derived from it. */
  readonly source?: string;
  /** Any words: of the prompt, a message, or a call's arguments or output; of the turn, message or call given with it. */
  readonly text?: string;
  /** The chat as a whole: explains what was derived from it. */
  readonly of?: 'chat';
}

/** A follow-up question; about the same chat if it names none. */
export type WhyAsks = Partial<WhyQuestion>;

/** A source of a text. */
export interface WhySource {
  readonly kind: TextOriginKind | 'file' | 'setting';
  /** Reference for users. */
  readonly ref: string;
  /** The common part; never of a secret. */
  readonly quote?: string;
  /** The argument of the call that contains it. */
  readonly field?: string;
  /** The follow-up question. */
  readonly asks?: WhyAsks;
}

/** A message, action or decision, with its author. */
export interface WhyPart {
  readonly kind: 'section' | 'sentence' | 'message' | 'call' | 'answer' | 'decision' | 'question' | 'change' | 'note';
  readonly text: string;
  /** A sentence: author, hook, sources. */
  readonly by: string;
  readonly plugin?: string;
  readonly hook?: string;
  readonly asks?: WhyAsks;
}

/** Something derived from the subject. */
export interface WhyDerived {
  /**
   * `note`: in the memory. `text`: of a plugin that stores texts. Both can be deleted here. `summary`: the compressed head of the conversation,
   * rebuilt without removed entries.
   */
  readonly kind: 'note' | 'text' | 'summary';
  /** For a note `type:key`; for a text its plugin's id. */
  readonly id: string;
  /** Unique in an answer; changes with the text. */
  readonly key: string;
  readonly scope?: NoteScope;
  /** For a text: its location for users, inside a sentence: `the vault`. */
  readonly where?: string;
  /** For a text with the user's own edits: it cannot be deleted here. */
  readonly isYours?: true;
  readonly text: string;
  /** How it was derived, as a sentence. */
  readonly how: string;
}

export interface WhyAnswer {
  readonly title: string;
  /** Sentences for users; they say so if nothing is known. */
  readonly says: readonly string[];
  readonly parts: readonly WhyPart[];
  readonly sources: readonly WhySource[];
  readonly derived: readonly WhyDerived[];
  /** The note or text of the question, if it can be deleted. */
  readonly own?: readonly WhyDerived[];
  /** For a message or a call: whether the model reads it, or the user removed it. Left out for other subjects. */
  readonly isRead?: boolean;
  /** The plugins that could not delete derived data when the user removed it. */
  readonly left?: readonly string[];
}

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
