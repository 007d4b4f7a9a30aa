// How long a server may take and how much it may say.

/** Milliseconds for a call, until the server says something about it; an entry may set its own. */
export const callTimeoutMs = 60_000;
/** A call that reports progress may take that many times longer, and no more. */
export const progressFactor = 10;
/** Milliseconds for a server by HTTP to answer `initialize`, and for each list that a server is asked for. */
export const initializeMs = 15_000;
/** Milliseconds after which a command that does not answer is ended: a first start may download all that it runs. */
export const longestStartMs = 600_000;
/** Milliseconds for a server to say that it needs no handshake. */
export const discoverMs = 5_000;
/** Bytes of one message. */
export const largestMessage = 10 * 1024 * 1024;
/** Messages of a server within one second. */
export const mostMessagesPerSecond = 2_000;
/** Bytes of standard error that are kept for error texts. */
export const keptErrorBytes = 8 * 1024;
/** Characters of a description. */
export const longestDescription = 1_000;
/** Characters of a schema as JSON. */
export const longestSchema = 64 * 1024;
export const mostTools = 200;
/** Milliseconds between two readings of a list that keeps changing. */
export const rereadMs = 1_000;
/** Of one server: each workspace has its own. Those in use are not closed for another. */
export const mostConnections = 8;
/** Milliseconds without a call after which a connection is closed; the next call opens it again. */
export const idleMs = 10 * 60_000;
/** Questions of a server within one call. */
export const mostQuestions = 5;
/** Pause before a dead server is started again: doubles from the first to the last. */
export const restartPauseMs = { first: 1_000, longest: 60_000 } as const;
/** So many restarts within that time; then it stays down until somebody asks for it. */
export const restartBudget = { times: 5, withinMs: 10 * 60_000 } as const;
