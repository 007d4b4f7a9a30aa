// Manages the token of the window's page. It has the owner's rights, but is a separate token, because a remote viewer may control that page.
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '#lib/hash';
import type { Principal, TokenSource } from 'agent-harness/plugins/http';

export interface PageToken {
  /** Stored only in memory, because the window ends with this process. */
  readonly text: string;
  readonly source: TokenSource;
  owns(principal: Pick<Principal, 'kind' | 'id'>): boolean;
}

const page: Principal = { kind: 'owner', id: 'desktop-window', role: 'owner' };

export function createPageToken(): PageToken {
  const text = randomBytes(32).toString('hex');
  return {
    text,
    source: { name: 'desktop window', identify: (token) => (isSameSecret(token, text) ? page : undefined), isSetUp: () => false },
    owns: ({ kind, id }) => kind === page.kind && id === page.id,
  };
}
