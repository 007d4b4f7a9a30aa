// Defines the types of message attachments for other plugins.
import type { EventFields } from 'agent-harness/transcript';

export interface Attachment {
  readonly name: string;
  /** `data:<mime>;base64,…` */
  readonly dataUrl: string;
}

/** An attachment as stored in the journal. */
export type SavedAttachment = EventFields['message_accepted']['attachments'][number];

/** A file attached to a message, for plugins that can read it. */
export interface AttachedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

export interface AttachmentText {
  /** Media type, detected from the bytes. */
  readonly mimeType: string;
  /** Omitted if the file has no readable text. */
  readonly text?: string;
  /** Reason why the text is missing or incomplete. */
  readonly note?: string;
}

/** Provides access to the files attached to messages. */
export interface Attachments {
  /** Returns an attachment with its content; `undefined` if the chat has no such attachment or `attachmentId` is not an id. */
  find(chatId: string, attachmentId: string): Promise<(SavedAttachment & { readonly content: Buffer }) | undefined>;
}

/** An image that a tool displayed; stored in the same way as an attachment. */
export type KeptImage = Pick<SavedAttachment, 'attachmentId' | 'mimeType'>;
