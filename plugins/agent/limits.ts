// Defines the time limit of taps after an abort of a turn.

/** Time in milliseconds for which taps of a hook may continue after the turn was aborted. */
export const hookGraceMs = 100;
