// Types of message attachments for other plugins.
import type { EventFields } from 'agent-harness/transcript';

export interface Attachment {
  readonly name: string;
  /** `data:<mime>;base64,…` */
  readonly dataUrl: string;
}

/** An attachment as stored in the journal. */
export type SavedAttachment = EventFields['message_accepted']['attachments'][number];

/** A file of a message, for plugins that can read it. */
export interface AttachedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

export interface AttachmentText {
  /** Media type detected from the bytes. */
  readonly mimeType: string;
  /** Left out if the file has no readable text. */
  readonly text?: string;
  /** Reason why the text is missing or incomplete. */
  readonly note?: string;
}

/** Access to the files of messages. */
export interface Attachments {
  /** Returns `undefined` if the chat has no such attachment, or the text is not an id. */
  find(chatId: string, attachmentId: string): Promise<(SavedAttachment & { readonly content: Buffer }) | undefined>;
}

/** A picture that a tool showed; stored like an attachment. */
export type KeptImage = Pick<SavedAttachment, 'attachmentId' | 'mimeType'>;
