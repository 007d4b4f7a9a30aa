// The contract of time-limited matching of third-party schema patterns against third-party text.

/** Compatible with Ajv's option `code.regExp`. */
export interface LimitedPatterns {
  /** Throws for an invalid pattern. Testing throws after the time limit: the result is unknown then. */
  (pattern: string, flags: string): { test(text: string): boolean };
  /** For standalone code generation, which is not used. */
  code: string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    limitedPatterns: LimitedPatterns;
  }
}
