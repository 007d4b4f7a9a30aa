// Creates single-use links: a random token for the recipient, and a hash of it for the database.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#lib/hash';

export interface LinkToken {
  /** Part of the link; never stored. */
  readonly token: string;
  readonly hash: string;
}

/** Creates a random token for a link, with the hash to store. */
export function makeLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}
