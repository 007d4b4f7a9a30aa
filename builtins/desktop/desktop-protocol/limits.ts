// How much one client may have going on.

export const limits = {
  /** Of one frame of a client. What is longer goes over HTTP, which takes it piece by piece. */
  frameBytes: 16 * 1024 * 1024,
  /** Of one client; further ones wait, and the client with them. */
  commandsAtOnce: 64,
  connections: 256,
  /** While a client leaves more than this unread, replies wait. */
  behindBytes: 1024 * 1024,
  /** Characters of an id that a client chose. */
  idLength: 64,
} as const;
