// Defines the types of the parts of a turn record that have an open schema, and of the stored form of a record.
import type { FinishReason, ModelToolCall, ModelUsage, ReturnedFields } from 'agent-harness/plugins/models';

export const recordVersion = 1;

/** The end of a successful stream; omitted text and calls are taken from its pieces. */
export interface EndedReply {
  readonly finish: FinishReason;
  readonly usage: ModelUsage;
  readonly model: string;
  readonly text?: string;
  readonly toolCalls?: readonly ModelToolCall[];
  readonly providerData?: ReturnedFields;
}

/** A call that the approval gate granted. */
export interface SeenGrant {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly editedBy?: string;
}

/** The result of `tools.check`. If `args` is omitted, the arguments are those in the text of the call. */
export type Checked =
  | { readonly argsText: string; readonly tool: string; readonly args?: Readonly<Record<string, unknown>>; readonly subject?: string }
  | { readonly argsText: string; readonly error: string; readonly hint?: string };

/** A record as JSON, without secrets. */
export interface EncodedRecord {
  readonly text: string;
  /** The record's `texts` as JSON; omitted if the record has none. */
  readonly texts?: string;
}

/** Replaces the record of a turn that exceeded the size limit. */
export interface LeftOut {
  readonly version: number;
  readonly turnId: string;
  /** The exceeded limit in bytes. */
  readonly tooLarge: number;
}
