// How long the turn waits for others.

/** How long the taps of a hook may go on once the turn is aborted, in milliseconds. */
export const hookGraceMs = 100;
