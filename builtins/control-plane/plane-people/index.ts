// Registers the people of a control plane: organisations, members, roles, browser sessions, and access to open streams.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/builtins/control-plane/plane-audit-log';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from 'agent-harness/builtins/control-plane/plane-signals';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import { createAccess } from './access.ts';
import { createAccountRoutes } from './account-routes.ts';
import { createAccounts } from './accounts.ts';
import { createPlaneAttempts } from './attempts.ts';
import { createCommands } from './commands.ts';
import { config } from './config.ts';
import type { CredentialSource, PlanPart } from './contract.ts';
import { createCredentials } from './credentials.ts';
import { createDirectory } from './directory.ts';
import { createInvites } from './invites.ts';
import { createMail } from './mail.ts';
import { createMembers } from './membership.ts';
import { createOrganisationRoutes } from './organisation-routes.ts';
import { createPasswords } from './passwords.ts';
import { errors } from './people-errors.ts';
import { createPrincipals } from './principals.ts';
import type { RouteParts } from './route-parts.ts';
import { createSessions } from './sessions.ts';
import { restoredPeople } from './restored.ts';
import { boundSessions, tables } from './tables.ts';

export const manifest = {
  name: 'plane-people',
  requires: ['database', 'http', 'planeKeys', 'planeSite', 'product', 'signals', 'storage'],
  optional: ['audit'],
  provides: ['people', 'planeAttempts'],
  config,
  errors,
} as const satisfies PluginManifest;

/** Interval between deletions of expired records, in milliseconds. */
const sweepMs = 3_600_000;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config: settings, log } = registry;
  const { database, storage, signals, planeSite } = services;
  const makeError = registry.error.bind(registry);
  registry.add('migration', { number: 1, name: 'people', sql: tables });
  registry.add('migration', { number: 2, name: 'bound-sessions', sql: boundSessions });
  registry.add('restore_step', restoredPeople);

  const sources = new Set<CredentialSource>();
  registry.point<'credential_source'>('credential_source', { added: (source) => void sources.add(source), removed: (source) => void sources.delete(source) });
  const planParts = new Set<PlanPart>();
  registry.point<'plan_part'>('plan_part', { added: (part) => void planParts.add(part), removed: (part) => void planParts.delete(part) });

  const audit: RouteParts['audit'] = () => services.audit;
  const isOpen = (): boolean => settings.signUp === 'open';
  const planeUrl = (): string => planeSite.url();
  const passwords = createPasswords(() => makeError('BUSY', { retryAfter: 5 }));
  const directory = createDirectory({ database, storage, passwords, makeError });
  const sessions = createSessions({ database, storage, productName: services.product.name, isSecure: () => planeUrl().startsWith('https:') });
  registry.add('credential_source', sessions.source);
  const attempts = createPlaneAttempts(database, () => settings.attemptsPerMinute, makeError);
  const invites = createInvites(database, storage, directory, makeError);
  const credentials = createCredentials(() => sources);
  const accounts = createAccounts({ database, directory, invites, credentials, passwords, audit, isOpen, makeError });
  const access = createAccess({
    database,
    signals,
    sources: () => sources,
    onFault: (fault) => log.warn(`the access of members with open streams could not be checked: ${messageOf(fault)}`),
  });
  registry.defer(() => access.dispose(), 'open streams');
  const principals = createPrincipals(sessions, makeError);
  const changed = access.changed.bind(access);
  const members = createMembers({ database, directory, credentials, planParts: () => planParts, audit, changed, makeError });

  const parts: RouteParts = {
    ...{ database, directory, accounts, invites, members, sessions, credentials, attempts, audit, planeUrl, isOpen, changed, makeError },
    mail: createMail(settings.smtpUrl, planeUrl, makeError),
    clientOf: (context) => planeSite.clientOf(context),
    warn: (message) => log.warn(message),
    member: principals.member,
    signedIn: principals.signedIn,
    memberOf(principal, orgId, via) {
      const member = principals.member(principal, via);
      if (member.org.id !== orgId) throw makeError('NOT_FOUND', { what: 'organisation' });
      return member;
    },
    acceptInvite: (token, person) =>
      database.transaction(async (query) => {
        const { orgId, role } = await invites.accept(token, person, query);
        await audit()?.record(orgId, { kind: 'member_joined', userId: person.id, metrics: { email: person.email, role } }, query);
        return orgId;
      }),
    route: (one) => one,
  };
  for (const route of [...createAccountRoutes(parts), ...createOrganisationRoutes(parts)]) registry.add('route', route);
  for (const command of createCommands({ accounts, planeUrl, makeKeys: () => services.planeKeys.publicKey(), makeError })) registry.add('cli_command', command);
  registry.add('start_note', {
    name: 'set-up',
    async read() {
      const token = await accounts.makeSetUpToken();
      return token && `This control plane has no owner yet. Open this address within an hour to create the owner:\n  ${planeUrl()}/sign-up?setup=${token}`;
    },
  });
  registry.add('plane_operator', {
    name: 'people',
    includes: async (principal) => principals.member(principal).org.id === (await directory.operator())?.id,
  });
  registry.add('token_source', {
    name: 'sessions',
    get cookie() {
      return sessions.cookieName;
    },
    identify: principals.identify,
    // Always true, because until an owner exists, only the page for creating one is accessible.
    isSetUp: () => true,
  });
  registry.add('job', {
    name: 'sweep-people',
    when: { everyMs: sweepMs },
    async run() {
      for (const one of [sessions, attempts, accounts, invites]) await one.sweep();
    },
  });
  const { find, organisation, membership, organisationsOf, operator, create, createOrganisation, join } = directory;
  registry.provide('people', () => ({
    ...{ find, organisation, membership, organisationsOf, operator, create, createOrganisation, join, changed },
    member: principals.member,
    person: (principal) => principals.signedIn(principal).person,
    principalOf: principals.principalOf,
    beginSession: (userId, orgId, about) => sessions.begin(userId, orgId, about),
    freePerson: (principal) => principals.signedIn(principal, 'session').person,
    freeId: (principal) => (principals.isFree(principal) ? principals.signedIn(principal).person.id : undefined),
    async confirm(principal, password, address) {
      const { person } = principals.signedIn(principal, 'session');
      await attempts.guard('sign-in', { address, account: person.email }, () => accounts.confirm(person, password));
      return person;
    },
    async endBoundSessions(orgId, userId) {
      for (const credential of await sessions.endBound(orgId, userId)) changed({ what: 'credential', credential });
    },
    watchAccess: (member) => access.watch(member),
  }));
  registry.provide('planeAttempts', () => attempts);
}
