// Time limits of the turn for external work.

/** Grace for the taps of a hook after the turn is aborted, in milliseconds. */
export const hookGraceMs = 100;
