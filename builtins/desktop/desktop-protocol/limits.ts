// Defines the limits of one client.

export const limits = {
  /** Per frame of a client. Anything longer goes over HTTP, which takes it piece by piece. */
  frameBytes: 16 * 1024 * 1024,
  /** Per client; further ones wait, and the client with them. */
  commandsAtOnce: 64,
  connections: 256,
  /** While a client has more than this unread, replies wait. */
  behindBytes: 1024 * 1024,
  /** Characters of an id that a client chose. */
  idLength: 64,
} as const;
