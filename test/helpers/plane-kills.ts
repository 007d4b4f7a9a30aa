// Writes to a control plane that is killed repeatedly, or whose dependencies are, and checks that all acknowledged writes are present.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { runPlaneCommand, startPlaneProcess, type PlaneProcess, type PlaneProcessOptions } from './plane-process.ts';

export interface KillOptions extends PlaneProcessOptions {
  readonly kills: number;
  /** Determines the number of replies before each kill and the delay after the last one. */
  readonly seed: number;
  /** Breaks and restores a dependency instead of killing the control plane. */
  readonly breakIt?: () => Promise<void>;
}

export interface KillOutcome {
  readonly kills: number;
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly repeated: number;
  /** One sentence per fault. Empty if all acknowledged writes are present. */
  readonly faults: readonly string[];
}

/** Sends a request for a writer. Resolves with the first reply that is not caused by a stopping or starting node. */
type Ask = (method: string, path: string, body?: unknown) => Promise<{ readonly status: number; readonly body: any; readonly isRepeated: boolean }>;

interface Writer {
  readonly name: string;
  /** Repeats one change until it is acknowledged. */
  write(n: number, ask: Ask): Promise<void>;
  /** Returns the faults after `count` changes. */
  check(count: number, ask: Ask): Promise<string[]>;
}

export async function playKills({ kills, seed, breakIt, ...options }: KillOptions): Promise<KillOutcome> {
  // Lehmer random number generator
  let state = (seed % 2_147_483_646) + 1;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const environment = { ...options.environment, HUB_PORT: String(await freePort()) };
  const place = { ...options, environment };
  let plane: PlaneProcess = await startPlaneProcess(place);
  const issued = await runPlaneCommand(place, 'issue', '--email', 'owner@example.org', '--tier', 'enterprise', '--role', 'owner', '--org', 'Acme');
  const token = issued.out.trim();
  if (issued.code !== 0) throw new Error(`no license was issued: ${issued.err}`);

  const faults: string[] = [];
  const acknowledged: Record<string, number> = {};
  let repeated = 0;
  let answers = 0;
  let isOver = false;
  const watchers = new Set<() => void>();

  const ask: Ask = async (method, path, body) => {
    for (let isRepeated = false; ; isRepeated = true) {
      const reply = await plane.call(method, path, { token, ...(body === undefined ? {} : { body }) }).catch(() => undefined);
      if (reply && reply.status < 500) return { ...reply, isRepeated };
      if (reply && reply.status !== 503) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      repeated++;
      await delay(10);
    }
  };
  const writing = writers.map(async (writer) => {
    for (let n = 1; !isOver; n++) {
      await writer.write(n, ask);
      acknowledged[writer.name] = n;
      answers++;
      for (const one of [...watchers]) one();
    }
  });
  const failed = Promise.all(writing).then(() => undefined);
  failed.catch(() => (isOver = true));

  /** Waits for `count` more replies. All writers then have a request in flight, because each sends its next one immediately. */
  async function afterAnswers(count: number): Promise<void> {
    const end = answers + count;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (answers < end && !isOver) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      failed.catch(look);
    });
    await delay(random() * 20);
  }

  let done = 0;
  for (; done < kills && !isOver; done++) {
    await afterAnswers(2 + Math.floor(random() * 20));
    if (breakIt) await breakIt();
    else {
      await plane.stop('SIGKILL');
      plane = await startPlaneProcess(place);
    }
  }
  isOver = true;
  try {
    await failed;
    for (const writer of writers) {
      for (const fault of await writer.check(acknowledged[writer.name] ?? 0, ask)) faults.push(`${writer.name}: ${fault}`);
    }
  } finally {
    await plane.stop();
  }
  return { kills: done, acknowledged, repeated, faults };
}

function expectOk({ status, body }: { readonly status: number; readonly body: unknown }): void {
  if (status !== 200) throw new Error(`a change was refused with ${status}: ${JSON.stringify(body)}`);
}

const noteKeys = ['a', 'b', 'c'];
const historyLines = (n: number): string[] => Array.from({ length: 1 + (n % 7) }, (_, at) => `line ${at} of part ${n}`);
const events = (n: number): object[] => Array.from({ length: 1 + (n % 3) }, (_, at) => ({ id: `event-${n}-${at}`, kind: 'test', at: '2026-01-01T00:00:00Z' }));

/** Each change writes all keys, so a partial change is visible. The revision counts changes, so a duplicate is visible. */
function notesOf(name: string, path: string): Writer {
  return {
    name,
    async write(n, ask) {
      const upserts = noteKeys.map((key) => ({
        key: `fact:${key}`,
        value: `of change ${n}`,
        updatedAt: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
      }));
      const reply = await ask('PUT', path, { clientId: name.replaceAll(' ', '-'), mutationId: n, base: n - 1, upserts, tombstones: [] });
      expectOk(reply);
      if (reply.body.revision !== n) throw new Error(`change ${n} of the ${name} is revision ${reply.body.revision}`);
    },
    async check(count, ask) {
      const { body } = await ask('GET', path);
      const values = body.notes.map(({ key, value }: { key: string; value: string }) => `${key}=${value}`).sort();
      const wanted = count === 0 ? [] : noteKeys.map((key) => `fact:${key}=of change ${count}`);
      return same('notes', values, wanted).concat(same('revision', body.revision, count));
    },
  };
}

const history: Writer = {
  name: 'session history',
  async write(n, ask) {
    const lines = historyLines(n);
    const sha256 = createHash('sha256').update(lines.join('\n')).digest('hex');
    expectOk(await ask('POST', '/api/pro/session_history', { sessionId: 'session', seq: n - 1, lines, sha256 }));
  },
  async check(count, ask) {
    const wanted = Array.from({ length: count }, (_, at) => historyLines(at + 1)).flat();
    const found: string[] = [];
    for (let cursor: number | undefined = 0; cursor !== undefined && count > 0;) {
      const { body } = await ask('GET', `/api/pro/session_history?sessionId=session&cursor=${cursor}`);
      found.push(...body.lines);
      cursor = body.cursor;
    }
    return same('lines', found, wanted);
  },
};

const policy: Writer = {
  name: 'policy',
  async write(n, ask) {
    const { status, body, isRepeated } = await ask('PUT', '/api/team/policy', { base: n - 1, policy: { blockedTools: [`tool_${n}`] } });
    // The reply was lost but the change was applied, so the repeated change is a conflict.
    if (isRepeated && status === 409 && body.error.details.revision === n) return;
    expectOk({ status, body });
  },
  async check(count, ask) {
    const { body } = await ask('GET', '/api/team/policy');
    const found = same('revision', body.revision, count).concat(same('policy', body.policy, count === 0 ? {} : { blockedTools: [`tool_${count}`] }));
    for (let before = count + 1; before > 1;) {
      const page = (await ask('GET', `/api/team/policy/history?before=${before}`)).body;
      for (const { revision, differences } of page.versions) found.push(...same(`change ${revision}`, differences[0]?.after, [`tool_${revision}`]));
      before = page.before ?? 0;
    }
    const acts = await linesOf('policy_changed', ask);
    return found.concat(same('lines of the audit log', acts.length, count));
  },
};

const audit: Writer = {
  name: 'audit log',
  async write(n, ask) {
    expectOk(await ask('POST', '/api/team/audit/events', { events: events(n) }));
  },
  async check(count, ask) {
    const wanted = Array.from({ length: count }, (_, at) => events(at + 1).map((event) => (event as { id: string }).id)).flat();
    const ids = (await linesOf('test', ask)).map(({ id }) => id);
    const { body } = await ask('GET', '/api/team/audit/verify');
    return same('events', ids, wanted).concat(same('chain', body.ok, true));
  },
};

const bus: Writer = {
  name: 'bus',
  async write(n, ask) {
    const reply = await ask('POST', '/api/team/bus/publish', { workspace: 'w', key: 'k', envelope: n, clientId: 'client', mutationId: n });
    expectOk(reply);
    if (reply.body.cursor !== n) throw new Error(`message ${n} got the cursor ${reply.body.cursor}`);
  },
  // Each message had the cursor of its number, so none is missing or duplicated.
  check: () => Promise.resolve([]),
};

const writers: readonly Writer[] = [
  notesOf('own notes', '/api/pro/cloud_sync/notes?workspace=global'),
  notesOf('team notes', '/api/team/memory/notes?workspace=w'),
  ...[history, policy, audit, bus],
];

async function linesOf(kind: string, ask: Ask): Promise<readonly { readonly id: string }[]> {
  const found: { readonly id: string }[] = [];
  for (let cursor: number | undefined = 0; cursor !== undefined;) {
    const { body } = await ask('GET', `/api/team/audit/events?kind=${kind}&limit=1000&cursor=${cursor}`);
    found.push(...body.events);
    cursor = body.cursor;
  }
  return found;
}

function same(what: string, found: unknown, wanted: unknown): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  return is === should ? [] : [`${what}: ${is?.slice(0, 500)} instead of ${should?.slice(0, 500)}`];
}
