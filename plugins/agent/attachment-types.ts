// Files that come with messages, as others see them.
import type { EventFields } from 'agent-harness/transcript';

export interface Attachment {
  readonly name: string;
  /** `data:<mime>;base64,…` */
  readonly dataUrl: string;
}

/** How an attachment stands in the journal. */
export type SavedAttachment = EventFields['message_accepted']['attachments'][number];

/** A file that came with a message, for whoever can read it. */
export interface AttachedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  /** Aborted when nobody waits any longer. */
  readonly signal: AbortSignal;
}

export interface AttachmentText {
  /** What it is, by its bytes. */
  readonly mimeType: string;
  /** Left out where there is none that can be read. */
  readonly text?: string;
  /** Why there is no text, or not all of it. */
  readonly note?: string;
}

/** Files that came with messages. */
export interface Attachments {
  /** `undefined` where the chat has no such attachment, and for a text that is no id. */
  find(chatId: string, attachmentId: string): Promise<(SavedAttachment & { readonly content: Buffer }) | undefined>;
}

/** A picture that a tool showed; it is kept like an attachment. */
export type KeptImage = Pick<SavedAttachment, 'attachmentId' | 'mimeType'>;
