// Declares the types of imported conversations. Part of the contract.

/** The source of an imported chat. */
export interface ChatSource {
  /** Name of the source program in kebab-case, for example `codex`; `file` for a file exported by this product. */
  readonly from: string;
  /** Id of the conversation in the source. Each id is imported only once. */
  readonly id: string;
}

/** A part of an imported conversation; parts are passed oldest first. Nothing is executed, and the text counts as external content. */
export type ImportedPart = { /** ISO 8601; default: the time of the preceding part. */ readonly at?: string } & (
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'assistant'; readonly text: string; readonly channel?: 'user' | 'reasoning'; readonly model?: string }
  /** `callId` is the id in the source program; the result has the same id. */
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly args: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly ok: boolean; readonly output: string }
);

export interface ImportChat {
  readonly source: ChatSource;
  /** Title of the chat; default: the first words of the first message. */
  readonly title?: string;
  /** The folder that the user selected for this import, never one that the imported data names. Default: an empty folder. */
  readonly workspaceRoot?: string;
  readonly tags?: readonly string[];
  /** The parts, which are read once. If reading throws, the import ends and the chat is removed. */
  readonly parts: AsyncIterable<ImportedPart> | Iterable<ImportedPart>;
}

/** An imported chat, new or existing. */
export interface ImportedChat {
  readonly chatId: string;
  /** Whether this import created the chat. */
  readonly isNew: boolean;
  /** Whether the chat was imported earlier and then moved to the trash, from which it can be restored. */
  readonly isInTrash: boolean;
  readonly turns: number;
}
