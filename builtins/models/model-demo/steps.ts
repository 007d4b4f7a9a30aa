// What a request becomes: a list of steps, as data.

export interface ToolStep {
  readonly kind: 'tool';
  /** The words of the request. */
  readonly source: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The argument `content` is what an earlier step brought: any result, or the answer to a question. */
  readonly contentFrom?: 'result' | 'answer';
}

/** Words that the demo does not understand. */
export interface UnknownStep {
  readonly kind: 'unknown';
  readonly source: string;
}

export type Step = ToolStep | UnknownStep;

/** What one step came to. */
export type StepOutcome =
  | { readonly state: 'done'; readonly step: ToolStep; readonly output: string }
  | { readonly state: 'failed'; readonly step: ToolStep; readonly output: string }
  /** It needed what an earlier step did not bring. */
  | { readonly state: 'skipped'; readonly step: ToolStep }
  | { readonly state: 'unknown'; readonly step: UnknownStep };
