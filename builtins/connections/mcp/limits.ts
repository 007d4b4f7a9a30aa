// Defines time and size limits of MCP servers.

/** Milliseconds for a call without any message about it from the server; an entry may set its own. */
export const callTimeoutMs = 60_000;
/** A call that reports progress may take at most this many times longer. */
export const progressFactor = 10;
/** Milliseconds for an HTTP server to answer `initialize`, and for each list that is requested. */
export const initializeMs = 15_000;
/** Milliseconds after which a command that does not answer is ended: a first start may download everything it runs. */
export const longestStartMs = 600_000;
/** Milliseconds for a server to say that it needs no handshake. */
export const discoverMs = 5_000;
/** Bytes of one message. */
export const largestMessage = 10 * 1024 * 1024;
/** Messages of a server per second. */
export const mostMessagesPerSecond = 2_000;
/** Bytes of standard error that are kept for error messages. */
export const keptErrorBytes = 8 * 1024;
/** Characters of a description. */
export const longestDescription = 1_000;
/** Characters of a schema as JSON. */
export const longestSchema = 64 * 1024;
export const mostTools = 200;
/** Milliseconds between two reads of a list that keeps changing. */
export const rereadMs = 1_000;
/** Per server: each workspace has its own. Connections in use are not closed for another. */
export const mostConnections = 8;
/** Milliseconds without a call after which a connection is closed; the next call opens it again. */
export const idleMs = 10 * 60_000;
/** Questions of a server within one call. */
export const mostQuestions = 5;
/** Delay before a dead server is restarted: doubles from the first to the last. */
export const restartPauseMs = { first: 1_000, longest: 60_000 } as const;
/** Maximum number of restarts within that time; then it stays down until it is requested. */
export const restartBudget = { times: 5, withinMs: 10 * 60_000 } as const;
