// Patterns of schemas that others wrote, for texts that others send.

/** Fits Ajv's option `code.regExp`. */
export interface LimitedPatterns {
  /** Throws for a pattern that is none. Testing throws when the limit of time is over: the text is neither fitting nor not. */
  (pattern: string, flags: string): { test(text: string): boolean };
  /** For code that is generated to stand alone, which ours is not. */
  code: string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    limitedPatterns: LimitedPatterns;
  }
}
