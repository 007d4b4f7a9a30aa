// Starts a control plane from its sources, in this process, on a free port, with its own database and home.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginModule } from 'agent-harness/kernel';
import { controlPlane } from '../../builtins/distribution/control-plane.ts';
import { openDistribution, type OpenedDistribution } from '../../builtins/distribution/open.ts';
import type { Member } from '../../builtins/control-plane/plane-people/contract.ts';
import type { Role } from '../../plugins/http/contract.ts';
import type { Tier } from '../../plugins/licensing/contract.ts';
import { entitlementsOf } from '../../plugins/licensing/tiers.ts';
import { copyEmbeddedFolder } from './embedded-folder.ts';
import { allModules, load } from './harness.ts';
import { hasTool } from './required-tools.ts';
import { createTestDatabase } from './postgres.ts';

export interface PlaneOptions {
  /** Built-ins; all of the distribution by default. */
  readonly builtins?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Database URL of another node, to share its database. */
  readonly databaseUrl?: string;
  readonly home?: string;
  /** A free port by default. */
  readonly port?: number;
  /** Opens nothing, for commands that open it themselves. */
  readonly isNotReady?: boolean;
  readonly modules?: Readonly<Record<string, PluginModule<never>>>;
}

export interface Plane extends OpenedDistribution {
  readonly url: string;
  readonly home: string;
  /** Empty for the embedded database. */
  readonly databaseUrl: string;
  readonly logs: string[];
  /** Sends a request with a JSON body. `token`: a license, as a service sends it. `cookie`: as a browser sends it. */
  call(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly token?: string; readonly cookie?: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<{ status: number; body: any; headers: Headers }>;
  /** Runs a command line of the program in this process. */
  run(...argv: string[]): Promise<{ readonly code: number; readonly said: string }>;
  close(options?: { readonly keepFiles?: boolean }): Promise<void>;
}

/**
 * Runs a command line of the program in this process.
 * @param input lines of standard input
 * @param signal if already aborted, a serving program ends after its first output
 */
export async function runPlaneCli(
  { kernel }: Pick<OpenedDistribution, 'kernel'>,
  argv: readonly string[],
  input: readonly string[] = [],
  signal = new AbortController().signal,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const said = { out: '', err: '' };
  const output = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
    isTerminal: false,
    async *lines() {
      yield* input;
    },
  };
  const code = await kernel.resolve('commands').runCli(argv, output, signal);
  return { code, ...said };
}

export const planeSecret = 'a secret of the tests with more than 32 characters';

/** Name of this process's template database, in which all migrations have run. */
let migrated: Promise<string> | undefined;

/** Creates a database and returns its URL. A full control plane gets a copy of the migrated template, so migrations run once per process. */
async function createPlaneDatabase({ builtins, isNotReady }: PlaneOptions): Promise<string> {
  if (builtins !== undefined || isNotReady === true) return createTestDatabase();
  migrated ??= migrateDatabase();
  return createTestDatabase(await migrated);
}

async function migrateDatabase(): Promise<string> {
  const databaseUrl = await createTestDatabase();
  const plane = await startPlane({ databaseUrl, isNotReady: true });
  const { code, said } = await plane.run('migrate');
  await plane.close();
  if (code !== 0) throw new Error(said);
  return new URL(databaseUrl).pathname.slice(1);
}

/** Starts a control plane. The caller closes it. Uses the slower embedded database if PostgreSQL is not installed. */
export async function startPlane(options: PlaneOptions = {}): Promise<Plane> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'plane-home-')));
  const logs: string[] = [];
  const databaseUrl = options.databaseUrl ?? (hasTool('PostgreSQL') ? await createPlaneDatabase(options) : '');
  if (databaseUrl === '') await copyEmbeddedFolder(home);
  const opened = await openDistribution(controlPlane, {
    environment: { HUB_SECRET: planeSecret, ...(databaseUrl === '' ? {} : { DATABASE_URL: databaseUrl }), ...options.environment },
    home,
    sources: [
      { origin: 'platform', modules: await load(allModules.platform, controlPlane.platform) },
      { origin: 'builtin', modules: await load(allModules.builtin, options.builtins ?? controlPlane.builtins) },
      ...(options.modules ? [{ origin: 'user' as const, modules: options.modules }] : []),
    ],
    log: (level, plugin, message) => logs.push(`${level} ${plugin}: ${message}`),
  });
  await opened.ready;
  const start = async (): Promise<string> => {
    if (options.isNotReady) return '';
    await opened.kernel.resolve('database').ready();
    return (await opened.kernel.resolve('http').listen({ port: options.port ?? 0 })).url;
  };
  let isClosed = false;
  const url = await start().catch(async (fault: unknown) => {
    await opened.kernel.close();
    throw fault;
  });

  return {
    ...opened,
    url,
    home,
    databaseUrl,
    logs,
    async call(method, path, { body, token, cookie, headers = {} } = {}) {
      const reply = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(cookie === undefined ? {} : { cookie }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text, headers: reply.headers };
    },
    async run(...argv) {
      const { code, out, err } = await runPlaneCli(opened, argv);
      return { code, said: out + err };
    },
    async close({ keepFiles = false } = {}) {
      if (isClosed) return;
      isClosed = true;
      await opened.kernel.resolve('http').close();
      await opened.kernel.close();
      if (!keepFiles && !options.home) await rm(home, { recursive: true, force: true });
    },
  };
}

export interface MemberOptions {
  readonly email: string;
  readonly role: Role;
  /** Tier of the organisation, if it has to be created; `enterprise` by default. */
  readonly tier?: Tier;
  /** Name of the organisation; `Acme` by default. */
  readonly org?: string;
}

export interface AddedMember {
  readonly member: Member;
  readonly cookie: string;
  readonly token: string;
}

/** Adds a member with a browser session and a license. Creates the person if the e-mail address is new. */
export async function addMember(plane: Plane, { email, role, tier = 'enterprise', org: name = 'Acme' }: MemberOptions): Promise<AddedMember> {
  const people = plane.kernel.resolve('people');
  const database = plane.kernel.resolve('database');
  const person = (await people.find(email)) ?? (await people.create({ email }));
  const [known] = await database.query<{ id: string }>('select id from organisation where name = $1', [name]);
  const { id: orgId } = known ?? (await people.createOrganisation(name));
  await database.query('update organisation set tier = $2, seats = greatest(seats, 100) where id = $1', [orgId, tier]);
  await people.join(orgId, person.id, role);
  const { cookie } = await people.beginSession(person.id, orgId, { peer: '127.0.0.1', agent: 'tests' });
  const org = await people.organisation(orgId);
  if (!org) throw new Error(`there is no organisation '${name}'`);
  const [session] = await database.query<{ id: string }>('select id from session where user_id = $1 order by made_at desc limit 1', [person.id]);
  const { token } = await plane.kernel.resolve('planeLicenses').issue({ orgId, userId: person.id });
  return { cookie, token, member: { person, org, role, entitlements: entitlementsOf(tier), via: 'session', credential: session?.id ?? '' } };
}
