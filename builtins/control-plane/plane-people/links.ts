// Links that work once: a random text for whoever gets it, a hash for the database.
import { randomBytes } from 'node:crypto';
import { sha256 } from 'agent-harness/lib/hash';

export interface LinkToken {
  /** For the link alone. */
  readonly token: string;
  readonly hash: string;
}

export function makeLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}
