// Defines the data types of the demo model's steps and their outcomes.

export interface ToolStep {
  readonly kind: 'tool';
  /** Words of the request for this step. */
  readonly source: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Source of the argument `content`: the result of an earlier step, or the answer to a question. */
  readonly contentFrom?: 'result' | 'answer';
}

/** A part of the request that the demo does not understand. */
export interface UnknownStep {
  readonly kind: 'unknown';
  readonly source: string;
}

export type Step = ToolStep | UnknownStep;

export type StepOutcome =
  | { readonly state: 'done'; readonly step: ToolStep; readonly output: string }
  | { readonly state: 'failed'; readonly step: ToolStep; readonly output: string }
  /** The step needed a value that no earlier step provided. */
  | { readonly state: 'skipped'; readonly step: ToolStep }
  | { readonly state: 'unknown'; readonly step: UnknownStep };
