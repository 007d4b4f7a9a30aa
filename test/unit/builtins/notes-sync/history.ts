// Plays a random history of several installations and one control plane, then checks convergence, deletions and acknowledged writes.
import type { NoteReading } from '../../../../builtins/control-plane/plane-notes/contract.ts';
import type { NoteSets, SetName } from '../../../../builtins/control-plane/plane-notes/note-sets.ts';
import type { PlaneCopy } from '../../../../builtins/account/notes-sync/sync-set.ts';
import { compareVersions, type Version } from '../../../../plugins/lib/copies.ts';
import { stableJson } from '../../../../plugins/lib/values.ts';
import { createCopy, Crash, type Copy } from './copy.ts';

export interface HistoryPlane {
  /** One entry per control plane node that shares the data. */
  readonly nodes: readonly NoteSets[];
  backup(): Promise<unknown>;
  restore(backup: unknown): Promise<void>;
}

export interface HistoryResult {
  readonly faults: readonly string[];
  readonly counts: { syncs: number; crashes: number; lostReplies: number; duplicates: number; resets: number; deletes: number; restores: number };
}

/** Opens the control plane of a history. @param clock returns the simulated time */
export type OpenPlane = (clock: () => Date) => HistoryPlane | Promise<HistoryPlane>;

type Sent = Parameters<PlaneCopy['write']>[0];

const dayMs = 86_400_000;
const begin = Date.parse('2026-01-01T00:00:00.000Z');

export function createDice(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export async function playHistory(seed: number, orgId: string, open: OpenPlane): Promise<HistoryResult> {
  const dice = createDice(seed + 1);
  let now = begin;
  const plane = await open(() => new Date(now));
  const set: SetName = { orgId, userId: 'user_ada', workspace: 'global' };
  const ada = { userId: 'user_ada', email: 'ada@example.org' };
  const counts = { syncs: 0, crashes: 0, lostReplies: 0, duplicates: 0, resets: 0, deletes: 0, restores: 0 };
  let isHealed = false;
  const faulty = (one: number): boolean => !isHealed && dice(one) === 0;
  const node = (): NoteSets => plane.nodes[dice(plane.nodes.length)] as NoteSets;

  const taken: Entry[] = [];
  const forgotten: typeof taken = [];
  const delayed: Sent[] = [];

  async function deliver(change: Sent): Promise<Awaited<ReturnType<PlaneCopy['write']>>> {
    const answer = await node().write(set, ada, change);
    if (answer.what === 'done') {
      const otherwise = new Map(answer.rows.map((row) => [row.key, row]));
      for (const { key, value, updatedAt } of change.upserts) taken.push({ id: key, version: otherwise.get(key) ?? { value, updatedAt } });
      for (const { key, deletedAt } of change.tombstones)
        taken.push({ id: key, version: otherwise.get(key) ?? { value: '', updatedAt: deletedAt, deletedAt } });
      return { what: 'done', revision: answer.revision, rows: answer.rows.map(rowOf), ...(answer.mark === undefined ? {} : { mark: answer.mark }) };
    }
    if (answer.what === 'conflict') return { what: 'conflict', revision: answer.revision, changed: [] };
    if (answer.what === 'reset') return { what: 'conflict', revision: answer.revision, changed: [], reset: true };
    if (answer.what === 'full') throw new Error('the set is full');
    return { what: 'out_of_order' };
  }

  const wire: PlaneCopy = {
    async read(reader): Promise<NoteReading> {
      if (faulty(40)) throw new Crash('partition');
      const reading = await node().read(set, reader);
      if (reading.reset) counts.resets++;
      if (faulty(40)) throw new Crash('lost reply');
      return reading;
    },
    async write(change) {
      if (faulty(30)) throw new Crash('partition');
      const copy = JSON.parse(JSON.stringify(change)) as Sent;
      if (faulty(15)) delayed.push(copy);
      const answer = await deliver(copy);
      if (faulty(12)) {
        counts.lostReplies++;
        throw new Crash('lost reply');
      }
      if (!faulty(12)) return answer;
      counts.duplicates++;
      return deliver(copy);
    },
  };

  const isLong = dice(4) === 0;
  // If both the control plane and an installation restored a backup, both may have lost the same write.
  const goesBack = ['', '', 'plane', 'home'][dice(4)];
  const copies: Copy[] = Array.from({ length: 3 + dice(3) }, (_, at) => {
    const skew = [0, 0, -600_000, 30_000, 300_000][dice(5)] as number;
    return createCopy({
      name: `home${at}`,
      now: () => now + skew,
      mayCrash: () => {
        if (faulty(120)) throw new Crash('crash');
      },
      plane: wire,
    });
  });
  const backups = new Map<Copy, unknown>();
  let planeBackup: unknown;

  async function sync(copy: Copy, direction?: 'pull' | 'push'): Promise<void> {
    counts.syncs++;
    try {
      await copy.sync(direction);
    } catch (fault) {
      if (!(fault instanceof Crash)) throw fault;
      counts.crashes++;
    }
  }

  const steps = 40 + dice(60);
  for (let step = 0; step < steps; step++) {
    now += dice(5) === 0 ? dice(3_600_000) : dice(2_000);
    const copy = copies[dice(copies.length)] as Copy;
    const what = dice(20);
    if (what < 7) copy.write(`k${dice(6)}`, `${copy.name} ${step}`);
    else if (what < 10) {
      const gone = copy.forget(`k${dice(6)}`);
      if (gone) counts.deletes++;
      if (gone) forgotten.push({ id: gone.id, version: gone });
    } else if (what < 15) await sync(copy, ([undefined, undefined, 'pull', 'push'] as const)[dice(4)]);
    else if (what < 17) await Promise.all([sync(copy), sync(copies[(copies.indexOf(copy) + 1) % copies.length] as Copy)]);
    else if (what === 17 && delayed.length > 0) {
      counts.duplicates++;
      await deliver(delayed.splice(dice(delayed.length), 1)[0] as Sent);
    } else if (what === 18 && isLong) {
      now += (20 + dice(90)) * dayMs;
      await node().sweep();
    } else if (what === 19 && goesBack === 'plane') {
      if (planeBackup === undefined) planeBackup = await plane.backup();
      else if (dice(3) === 0) {
        counts.restores++;
        await plane.restore(planeBackup);
        planeBackup = undefined;
      }
    } else if (what === 19 && goesBack === 'home') {
      if (!backups.has(copy)) backups.set(copy, copy.backup());
      else {
        counts.restores++;
        copy.restore(backups.get(copy));
        backups.delete(copy);
      }
    }
  }

  isHealed = true;
  for (let round = 0; round < 3; round++) for (const copy of copies) await sync(copy);

  return { faults: faultsOf(seed, copies, (await (plane.nodes[0] as NoteSets).read(set, {})).notes, taken, forgotten), counts };
}

function rowOf(row: {
  readonly key: string;
  readonly value: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  readonly revision: number;
}): never {
  const { deletedAt, key, revision } = row;
  return (deletedAt === undefined ? row : { key, deletedAt, revision }) as never;
}

interface Entry {
  readonly id: string;
  readonly version: Version;
}

function faultsOf(seed: number, copies: readonly Copy[], rows: NoteReading['notes'], taken: readonly Entry[], forgotten: readonly Entry[]): string[] {
  const faults: string[] = [];
  const texts = copies.map((copy) => stableJson(copy.live()));
  const onPlane = stableJson(
    Object.fromEntries(rows.map(({ key, revision: _, links = [], ...row }) => [key, { id: key, ...row, links, createdAt: undefined }])),
  );
  const plain = (text: string): string => text.replace(/"createdAt":"[^"]*",/g, '');
  const different = texts.findIndex((text) => plain(text) !== plain(onPlane));
  if (different !== -1) faults.push(`seed ${seed}: ${copies[different]?.name} differs from the plane:\n${plain(texts[different] ?? '')}\n${plain(onPlane)}`);
  const live = new Map(rows.map((row) => [row.key, row]));
  const firstTaken = new Map<string, number>();
  for (const [at, { id, version }] of taken.entries()) {
    const name = `${id} ${version.value} ${version.updatedAt}`;
    if (!firstTaken.has(name)) firstTaken.set(name, at);
    const end = live.get(id);
    const isDeleted = version.deletedAt !== undefined;
    // A version stored before its deletion must not be present at the end.
    if (isDeleted && end && compareVersions(version, end) >= 0) {
      const began = firstTaken.get(`${id} ${end.value} ${end.updatedAt}`);
      if (began !== undefined && began < at) faults.push(`seed ${seed}: ${id} '${end.value}' came back after its deletion`);
    }
    if (isDeleted) continue;
    const isSuperseded = end
      ? compareVersions(end, version) >= 0
      : [...taken, ...forgotten].some((one) => one.id === id && one.version.deletedAt !== undefined && compareVersions(one.version, version) >= 0);
    if (!isSuperseded) faults.push(`seed ${seed}: ${id} '${version.value}' was acknowledged and is lost`);
  }
  return faults;
}
