// Defines the contract of time-limited pattern matching, for patterns from third-party schemas and text from third parties.

/** Creates time-limited patterns. Compatible with Ajv's option `code.regExp`. */
export interface LimitedPatterns {
  /** Compiles a pattern; throws if it is invalid. `test` throws after the time limit, when the result is unknown. */
  (pattern: string, flags: string): { test(text: string): boolean };
  /** Required by Ajv for standalone code generation, which this product does not use. */
  code: string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    limitedPatterns: LimitedPatterns;
  }
}
