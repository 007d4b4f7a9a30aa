// People of a control plane: organisations, members and roles, sessions of browsers, and who may hold open what.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import { entitlementsOf } from 'agent-harness/tiers';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from 'agent-harness/builtins/control-plane/plane-signals';
import type { Principal } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import { createAccess } from './access.ts';
import { createPlaneAttempts } from './attempts.ts';
import type { CredentialSource, Member, PlanPart } from './contract.ts';
import { createDirectory } from './directory.ts';
import { createPasswords } from './passwords.ts';
import { errors } from './people-errors.ts';
import { principalOf, signedInAs } from './principals.ts';
import { createSessions } from './sessions.ts';
import { tables } from './tables.ts';

export const manifest = {
  name: 'plane-people',
  requires: ['database', 'http', 'planeSite', 'product', 'signals', 'storage'],
  provides: ['people', 'planeAttempts'],
  config: Type.Object({
    attemptsPerMinute: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 1_000_000,
      env: 'HUB_ATTEMPTS_PER_MINUTE',
      title: 'Attempts a minute',
      description:
        'How often an address, and an account, may try to sign in in a minute, over all nodes; for wrong licenses of an address it is thirty times that.',
      apply: 'restart',
    }),
  }),
  errors,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config } = registry;
  const { database, storage, signals } = services;
  const makeError = registry.error.bind(registry);
  registry.add('migration', { number: 1, name: 'people', sql: tables });

  const passwords = createPasswords(() => makeError('BUSY', { retryAfter: 5 }));
  const directory = createDirectory({ database, storage, passwords, makeError });
  const isSecure = (): boolean => services.planeSite.url().startsWith('https:');
  const sessions = createSessions({ database, storage, productName: services.product.name, isSecure });
  const attempts = createPlaneAttempts(database, () => config.attemptsPerMinute, makeError);
  const sources = new Set<CredentialSource>();
  registry.point<'credential_source'>('credential_source', { added: (source) => void sources.add(source), removed: (source) => void sources.delete(source) });
  const planParts = new Set<PlanPart>();
  registry.point<'plan_part'>('plan_part', { added: (part) => void planParts.add(part), removed: (part) => void planParts.delete(part) });
  registry.add('credential_source', sessions.source);
  const access = createAccess({
    database,
    signals,
    sources: () => sources,
    onFault: (fault) => registry.log.warn(`who may still hold streams open could not be asked: ${messageOf(fault)}`),
  });
  registry.defer(() => access.dispose(), 'open streams');

  async function identify(token: string): Promise<Principal | undefined> {
    const found = await sessions.find(token);
    if (!found) return undefined;
    const { id: credential, person, membership } = found;
    if (!membership) return principalOf({ person, via: 'session', credential });
    const member: Member = { ...membership, entitlements: entitlementsOf(membership.org.tier), via: 'session', credential };
    return principalOf({ person, via: 'session', credential, member });
  }

  registry.add('token_source', {
    name: 'sessions',
    get cookie() {
      return sessions.cookieName;
    },
    identify,
    isSetUp: async () => (await directory.operator()) !== undefined,
  });
  registry.provide('people', () => ({
    ...directory,
    member(principal) {
      const member = signedInAs(principal)?.member;
      if (!member) throw makeError('FORBIDDEN');
      return member;
    },
    person(principal) {
      const person = signedInAs(principal)?.person;
      if (!person) throw makeError('SIGNED_OUT');
      return person;
    },
    principalOf: (member) => principalOf({ person: member.person, via: member.via, credential: member.credential, member }),
    beginSession: (userId, orgId, about) => sessions.begin(userId, orgId, about),
    changed: (change) => access.changed(change),
    watchAccess: (member) => access.watch(member),
  }));
  registry.provide('planeAttempts', () => attempts);
}
