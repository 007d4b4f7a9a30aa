// Why something is as it is: which message, file, page, note, hook and plugin made it so, as far as that is known.
import type { NoteScope } from 'agent-harness/builtins/tools/memory';
import type { TextOriginKind } from 'agent-harness/builtins/turn/origins';

/** What is asked about. With nothing but the chat: the last turn in which a model was asked. Of several the narrowest counts: note, source, text, call, message, section, turn. */
export interface WhyQuestion {
  readonly chatId: string;
  readonly turn?: string;
  /** Of a tool, also one that waits for an answer. */
  readonly call?: string;
  /** Of the user, a plugin, or the model. */
  readonly message?: string;
  /** Of the prompt of that turn. */
  readonly section?: string;
  /** `type:key`. */
  readonly note?: string;
  /** A file, a page, or whatever else an origin names: what came from it. */
  readonly source?: string;
  /** A sentence or any other words: of the prompt, of a message, of what a call was given or brought; of the turn, message or call that is named with it. */
  readonly text?: string;
  /** The chat as a whole: what came from it. */
  readonly of?: 'chat';
}

/** A question that another leads to; of the same chat where it names none. */
export type WhyAsks = Partial<WhyQuestion>;

/** Something that a text rests on. */
export interface WhySource {
  readonly kind: TextOriginKind | 'file' | 'setting';
  /** What leads back to it, for people. */
  readonly ref: string;
  /** The part that stands in both; never of a secret. */
  readonly quote?: string;
  /** In which argument of the call it stands. */
  readonly field?: string;
  /** What to ask about next. */
  readonly asks?: WhyAsks;
}

/** A thing that was said, done or decided, and who made it so. */
export interface WhyPart {
  readonly kind: 'section' | 'sentence' | 'message' | 'call' | 'answer' | 'decision' | 'question' | 'change' | 'note';
  readonly text: string;
  /** A sentence: by whom, by which hook, from what. */
  readonly by: string;
  readonly plugin?: string;
  readonly hook?: string;
  readonly asks?: WhyAsks;
}

/** Something that would not be there without what is asked about. */
export interface WhyDerived {
  /**
   * `note`: of the memory. `text`: of a plugin that keeps texts. Both can be deleted from here. `summary`: the compressed beginning of the conversation,
   * made anew without what is taken out of it.
   */
  readonly kind: 'note' | 'text' | 'summary';
  /** Of a note `type:key`; of a text as its plugin has it. */
  readonly id: string;
  /** Tells it from the others of an answer; another one as soon as its words are. */
  readonly key: string;
  readonly scope?: NoteScope;
  /** Of a text: where it is kept, for people, within a sentence: `the vault`. */
  readonly where?: string;
  /** Of a text that a person wrote in, too: it is not deleted from here. */
  readonly isYours?: true;
  readonly text: string;
  /** How it came from there, as a sentence. */
  readonly how: string;
}

export interface WhyAnswer {
  readonly title: string;
  /** Sentences for people; they say so where nothing is known. */
  readonly says: readonly string[];
  readonly parts: readonly WhyPart[];
  readonly sources: readonly WhySource[];
  readonly derived: readonly WhyDerived[];
  /** The note or text that is asked about, as one that can be deleted. */
  readonly own?: readonly WhyDerived[];
  /** Of a message or a call: whether the model reads it, or a person took it out. Left out where it is about something else. */
  readonly isRead?: boolean;
  /** The plugins that could not drop what they made of it when a person took it out. */
  readonly left?: readonly string[];
}

/**
 * Contribution point `kept_texts`: texts that a plugin keeps for the model outside of the conversation and of the memory, such as notes in a folder. Each
 * that is told by {@link Why.kept} is listed with what its words came from, and can be deleted with that.
 */
export interface KeptTexts {
  /** Unique. It stands in the records, so it stays the same over versions. */
  readonly name: string;
  /** For people, within a sentence: `the vault`. */
  readonly where: string;
  /** `undefined` where there is none of that id. Rejects where that cannot be told now. Asked only for what somebody asks why about. */
  find(id: string): Promise<KeptText | undefined>;
  /** Deletes exactly that, for good. `false`: it is gone, another one by now, or a person's, and nothing was done. */
  drop(id: string, version: string): Promise<boolean>;
}

/** A text as it is now. */
export interface KeptText {
  readonly text: string;
  /** Another one as soon as anything of it is. */
  readonly version: string;
  /** A person wrote it, or changed it since. */
  readonly isPersons: boolean;
}

/** What a call kept. */
export interface KeepsText {
  /** The name of the {@link KeptTexts}. */
  readonly keeper: string;
  /** Stays the same while the text is there. */
  readonly id: string;
  /** What the call wrote; all of the text, or a part of it. */
  readonly text: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
}

export interface Why {
  /** Rejects with `WHY_ERR_NOT_FOUND`, and as `chats.peek` does. Reads journal and records; keeps nothing. */
  explain(question: WhyQuestion): Promise<WhyAnswer>;
  /** Looks up where the words of a kept text came from, beside the turn. Of a text that several calls wrote each is told. */
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
