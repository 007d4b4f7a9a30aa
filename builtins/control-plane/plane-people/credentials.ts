// Combines the credentials of people from all credential sources.
import type { Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { AccessChange, Credential, CredentialSource, Member } from './contract.ts';

export interface OwnedCredential extends Credential {
  readonly via: Member['via'];
}

export interface Credentials {
  list(userIds: readonly string[], orgId?: string): Promise<readonly OwnedCredential[]>;
  /** Resolves with the notifications to send after the commit. */
  end(userId: string, which: Parameters<CredentialSource['end']>[1], transaction: Query): Promise<readonly AccessChange[]>;
}

export function createCredentials(sources: () => Iterable<CredentialSource>): Credentials {
  return {
    async list(userIds, orgId) {
      const found: OwnedCredential[] = [];
      for (const source of sources()) for (const one of await source.list(userIds, orgId)) found.push({ ...one, via: source.via });
      return found;
    },
    async end(userId, which, transaction) {
      const ended: AccessChange[] = [];
      for (const source of sources()) for (const credential of await source.end(userId, which, transaction)) ended.push({ what: 'credential', credential });
      return ended;
    },
  };
}
