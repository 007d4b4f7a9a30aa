// The contract of time-limited matching: patterns from third-party schemas against third-party text.

/** Compatible with Ajv's option `code.regExp`. */
export interface LimitedPatterns {
  /** Throws for an invalid pattern. `test` throws after the time limit, because the result is unknown then. */
  (pattern: string, flags: string): { test(text: string): boolean };
  /** For standalone code generation, which this product does not use. */
  code: string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    limitedPatterns: LimitedPatterns;
  }
}
