// Defines time and size limits of MCP servers.

/** Default timeout of a call without progress, in milliseconds; an entry may override it. */
export const callTimeoutMs = 60_000;
/** Maximum duration of a call with progress, as a multiple of its timeout. */
export const progressFactor = 10;
/** Timeout of an HTTP server for `initialize` and for each list, in milliseconds. */
export const initializeMs = 15_000;
/** Startup timeout of a command in milliseconds; the first start may download dependencies. */
export const longestStartMs = 600_000;
/** Timeout in milliseconds for discovering a server that needs no handshake. */
export const discoverMs = 5_000;
/**
 * Time in milliseconds after which a command that has not answered the discovery also gets the handshake. Some servers never answer a request before the
 * handshake. A discovery that succeeds later still counts.
 */
export const discoverCommandMs = 300;
/** Maximum size of one message in bytes. */
export const largestMessage = 10 * 1024 * 1024;
/** Maximum number of a server's messages per second. */
export const mostMessagesPerSecond = 2_000;
/** Number of bytes of standard error that error messages include. */
export const keptErrorBytes = 8 * 1024;
/** Maximum length of a description. */
export const longestDescription = 1_000;
/** Maximum length of a schema as JSON. */
export const longestSchema = 64 * 1024;
export const mostTools = 200;
/** Minimum interval between two reads of a list that changes, in milliseconds. */
export const rereadMs = 1_000;
/** Maximum number of connections per server, one per workspace. A connection in use is never closed to make room for another. */
export const mostConnections = 8;
/** Idle time in milliseconds after which a connection is closed; the next call reopens it. */
export const idleMs = 10 * 60_000;
/** Maximum number of questions that a server may ask within one call. */
export const mostQuestions = 5;
/** Delay in milliseconds before a crashed server is restarted; doubles from the first to the longest value. */
export const restartPauseMs = { first: 1_000, longest: 60_000 } as const;
/** Maximum number of restarts within the given time; after that, the server restarts only on request. */
export const restartBudget = { times: 5, withinMs: 10 * 60_000 } as const;
