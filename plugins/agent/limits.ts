// Defines the time limit of taps after an abort of a turn.

/** Time in milliseconds that taps of a hook may still run after an abort of the turn. */
export const hookGraceMs = 100;
