// Defines the limits of one client of the desktop protocol.

export const limits = {
  /** Maximum size of a frame from a client, in bytes. Longer content is sent over HTTP, which streams it. */
  frameBytes: 16 * 1024 * 1024,
  /** Maximum number of concurrent commands per client; further commands wait. */
  commandsAtOnce: 64,
  connections: 256,
  /** Maximum number of bytes that a client has not read; beyond it, replies wait. */
  behindBytes: 1024 * 1024,
  /** Maximum length of a client's frame id, in characters. */
  idLength: 64,
} as const;
