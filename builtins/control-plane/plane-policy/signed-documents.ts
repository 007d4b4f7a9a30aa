// Signs policies and fleet configurations for services; a signed policy contains only the rules for the requesting member.
import type { Services } from 'agent-harness/kernel';
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';
import { sha256 } from '#lib/hash';
import { BoundedMap, stableJson } from '#lib/values';
import type { Policy, SignedFleet, SignedPolicy } from './contract.ts';
import type { DocumentKind, DocumentVersion } from './documents.ts';
import { effectivePolicy } from './effective.ts';

export interface SignedDocuments {
  /** Returns the ETag for the result of {@link SignedDocuments.sign}. */
  tag(kind: DocumentKind, version: DocumentVersion, member: Member): string;
  /** Returns the document as a compact JWS for the member. */
  sign(kind: DocumentKind, version: DocumentVersion, member: Member): Promise<string>;
}

type Claims = Omit<SignedPolicy, 'iat'> | Omit<SignedFleet, 'iat'>;

/** Maximum number of cached signatures. */
const maxCached = 2_000;

export function createSignedDocuments(planeKeys: Services['planeKeys']): SignedDocuments {
  const signatures = new BoundedMap<string, Promise<string>>(maxCached);

  function claimsOf(kind: DocumentKind, { revision, body }: DocumentVersion, { org, person, role }: Member): Claims {
    const whose = { org: org.id, orgName: org.name, sub: person.email };
    if (kind === 'fleet') return { ...whose, revision, config: body as SignedFleet['config'] };
    const policy = body as Policy;
    return { ...whose, role, revision, policy, effective: effectivePolicy(policy, { email: person.email, role }) };
  }

  /** Covers everything that the claims depend on, without building them, because many members request them at the same time. */
  const tag: SignedDocuments['tag'] = (kind, { revision, mark }, { org, person, role }) =>
    `"${revision}-${sha256(stableJson([kind, mark, org.id, org.name, person.email, kind === 'policy' ? role : ''])).slice(0, 24)}"`;
  return {
    tag,
    sign(kind, version, member) {
      const key = `${kind} ${tag(kind, version, member)}`;
      let signature = signatures.get(key);
      if (!signature) {
        signature = planeKeys.sign(kind, { ...claimsOf(kind, version, member), iat: Math.floor(Date.now() / 1_000) });
        signatures.set(key, signature);
        signature.catch(() => signatures.delete(key));
      }
      return signature;
    },
  };
}
