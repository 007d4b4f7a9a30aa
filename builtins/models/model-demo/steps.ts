// Defines the steps of a request as data.

export interface ToolStep {
  readonly kind: 'tool';
  /** The words of the request. */
  readonly source: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The argument `content` comes from an earlier step: its result, or the answer to a question. */
  readonly contentFrom?: 'result' | 'answer';
}

/** Words that the demo does not understand. */
export interface UnknownStep {
  readonly kind: 'unknown';
  readonly source: string;
}

export type Step = ToolStep | UnknownStep;

/** The outcome of one step. */
export type StepOutcome =
  | { readonly state: 'done'; readonly step: ToolStep; readonly output: string }
  | { readonly state: 'failed'; readonly step: ToolStep; readonly output: string }
  /** The step needed a value that no earlier step provided. */
  | { readonly state: 'skipped'; readonly step: ToolStep }
  | { readonly state: 'unknown'; readonly step: UnknownStep };
