// Types of the parts of a record whose schema is open, and of its stored form.
import type { FinishReason, ModelToolCall, ModelUsage, ReturnedFields } from 'agent-harness/plugins/models';

export const recordVersion = 1;

/** The end of a successful stream; text and calls come from its pieces when left out. */
export interface EndedReply {
  readonly finish: FinishReason;
  readonly usage: ModelUsage;
  readonly model: string;
  readonly text?: string;
  readonly toolCalls?: readonly ModelToolCall[];
  readonly providerData?: ReturnedFields;
}

/** A call approved by the gate. */
export interface SeenGrant {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly editedBy?: string;
}

/** The result of `tools.check`. `args` left out: those of the text. */
export type Checked =
  | { readonly argsText: string; readonly tool: string; readonly args?: Readonly<Record<string, unknown>>; readonly subject?: string }
  | { readonly argsText: string; readonly error: string; readonly hint?: string };

/** A record as JSON, without secrets. */
export interface EncodedRecord {
  readonly text: string;
  /** The record's `texts`; left out if there are none. */
  readonly texts?: string;
}

/** Replaces a record: the turn exceeded the size limit. */
export interface LeftOut {
  readonly version: number;
  readonly turnId: string;
  /** The exceeded limit in bytes. */
  readonly tooLarge: number;
}
