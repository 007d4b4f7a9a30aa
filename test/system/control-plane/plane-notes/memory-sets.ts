// In-memory note sets for property tests with many histories. note-sets.test.ts compares them with the database.
import { sha256 } from '../../../../plugins/lib/hash.ts';
import { copyJson, stableJson } from '../../../../plugins/lib/values.ts';
import type { NoteVersion } from '../../../../builtins/control-plane/plane-notes/contract.ts';
import { decideEntry, isStoredDifferently, type StoredRow } from '../../../../builtins/control-plane/plane-notes/decide.ts';
import type { NoteSets, SetName } from '../../../../builtins/control-plane/plane-notes/note-sets.ts';
import { afterNow, toPage, type PageRow } from '../../../../builtins/control-plane/plane-notes/rows.ts';

interface State {
  sets: Record<
    string,
    {
      revision: number;
      horizon: number;
      horizonAt?: number;
      emptied: number;
      mark: string;
      rows: Record<string, StoredRow & { receivedAt: number }>;
      marks: Record<string, { mark: string; at: number }>;
      versions: (NoteVersion & { key: string })[];
    }
  >;
  clients: Record<string, number>;
  mutations: Record<string, { content: string; revision: number; at: number }>;
}

export interface MemorySets extends NoteSets {
  backup(): unknown;
  restore(backup: unknown): void;
}

const dayMs = 86_400_000;

export function createMemorySets({ tombstoneDays, clock }: { readonly tombstoneDays: () => number; readonly clock: () => Date }): MemorySets {
  let state: State = { sets: {}, clients: {}, mutations: {} };
  let marks = 0;
  const nameOf = ({ orgId, userId = '', workspace }: SetName): string => JSON.stringify([orgId, userId, workspace]);
  const setOf = (name: SetName): State['sets'][string] =>
    (state.sets[nameOf(name)] ??= { revision: 0, horizon: 0, emptied: 0, mark: '', rows: {}, marks: {}, versions: [] });
  const raise = (set: State['sets'][string]): void => {
    set.revision++;
    set.mark = `mark${marks++}`;
    set.marks[set.revision] = { mark: set.mark, at: clock().getTime() };
  };
  return {
    backup: () => copyJson(state),
    restore: (backup) => void (state = copyJson(backup) as State),
    read(name, { since, mark = '', isWhole = false }) {
      const set = state.sets[nameOf(name)];
      if (!set) return Promise.resolve(toPage([{ set_revision: null, at: clock() } as PageRow], since, name.userId === undefined));
      const { revision, horizon, emptied } = set;
      const reset =
        !isWhole &&
        since !== undefined &&
        (since > revision || since < horizon || since < emptied || (since > 0 && mark !== '' && set.marks[since]?.mark !== mark));
      const from = reset ? 0 : (since ?? 0);
      const rows = Object.values(set.rows)
        .filter((row) => row.revision > from)
        .sort((one, other) => one.revision - other.revision || (one.key < other.key ? -1 : 1))
        .slice(0, afterNow);
      const head = {
        ...{ set_revision: revision, horizon, emptied, mark: set.mark, reset, at: clock() },
        horizon_at: set.horizonAt === undefined ? null : new Date(set.horizonAt),
      };
      const page: unknown[] = rows.map((row) => ({
        ...head,
        ...{ key: row.key, value: row.value, revision: row.revision, updated_at: new Date(row.updatedAt) },
        ...{ deleted_at: row.deletedAt === undefined ? null : new Date(row.deletedAt), source: row.source ?? null, confidence: row.confidence ?? null },
        ...{ links: row.links ?? null, by_id: row.by.userId, by_email: row.by.email },
      }));
      return Promise.resolve(toPage((page.length > 0 ? page : [{ ...head, key: null }]) as PageRow[], since, name.userId === undefined));
    },
    write(name, by, change) {
      const account = JSON.stringify([name.orgId, by.userId, change.clientId]);
      const content = sha256(stableJson([name.userId ?? '', name.workspace, change.base, change.upserts, change.tombstones]));
      const entries = [...change.upserts, ...change.tombstones];
      const at = clock().getTime();
      const set = setOf(name);
      if (change.mutationId <= (state.clients[account] ?? 0)) {
        const known = state.mutations[`${account} ${change.mutationId}`];
        if (known?.content !== content) return Promise.resolve({ what: 'out_of_order' });
        const rows = entries.flatMap((sent) => {
          const row = set.rows[sent.key];
          return row && isStoredDifferently(sent, row) ? [row] : [];
        });
        return Promise.resolve({ what: 'done', revision: known.revision, rows });
      }
      const { base, mark } = change;
      const isOfHistory =
        base <= set.revision && base >= set.horizon && base >= set.emptied && (base === 0 || mark === undefined || set.marks[base]?.mark === mark);
      if (!isOfHistory) return Promise.resolve({ what: 'reset', revision: set.revision });
      const changed = entries.flatMap(({ key }) => set.rows[key] ?? []).filter(({ revision }) => revision > base);
      if (changed.length > 0) return Promise.resolve({ what: 'conflict', revision: set.revision, changed });
      const before = set.revision;
      const decided = entries.map((sent) => ({ known: set.rows[sent.key], ...decideEntry(sent, set.rows[sent.key], by, at, before + 1) }));
      for (const { next, version } of decided) {
        if (version) set.versions.push({ ...version, replacedAt: clock().toISOString() });
        if (next) set.rows[next.key] = { ...next, receivedAt: at };
      }
      if (decided.some(({ next }) => next)) raise(set);
      state.mutations[`${account} ${change.mutationId}`] = { content, revision: set.revision, at };
      state.clients[account] = change.mutationId;
      const rows = decided.filter(({ isDifferent }) => isDifferent).flatMap(({ next, known }) => next ?? known ?? []);
      return Promise.resolve({ what: 'done', revision: set.revision, rows, ...(base === before ? { mark: set.mark } : {}) });
    },
    history(name, key) {
      const versions = (state.sets[nameOf(name)]?.versions ?? []).filter((one) => one.key === key).reverse();
      return Promise.resolve(versions.map(({ key: _, ...version }) => version));
    },
    list({ orgId, userId = '' }) {
      const sets = Object.entries(state.sets).flatMap(([name, { revision, rows }]) => {
        const [org, user, workspace = ''] = JSON.parse(name) as string[];
        const notes = Object.values(rows).filter(({ deletedAt }) => deletedAt === undefined).length;
        return org === orgId && user === userId ? [{ workspace, revision, notes }] : [];
      });
      return Promise.resolve(sets);
    },
    empty({ orgId, userId = '', workspace }) {
      let count = 0;
      for (const [name, set] of Object.entries(state.sets)) {
        const [org, user, place] = JSON.parse(name) as string[];
        if (org !== orgId || user !== userId || (workspace !== undefined && place !== workspace)) continue;
        count += Object.keys(set.rows).length;
        Object.assign(set, { rows: {}, marks: {}, versions: [] });
        raise(set);
        set.emptied = set.horizon = set.revision;
      }
      return Promise.resolve(count);
    },
    sweep() {
      const now = clock().getTime();
      const isOld = (at: number, days: number): boolean => at < now - days * dayMs;
      for (const set of Object.values(state.sets)) {
        for (const [key, row] of Object.entries(set.rows)) {
          if (row.deletedAt === undefined || !isOld(row.receivedAt, tombstoneDays())) continue;
          set.horizon = Math.max(set.horizon, row.revision);
          set.horizonAt = Math.max(set.horizonAt ?? 0, row.receivedAt);
          delete set.rows[key];
        }
        for (const [revision, { at }] of Object.entries(set.marks)) {
          if (Number(revision) < set.revision && (isOld(at, Math.max(90, tombstoneDays())) || Number(revision) < set.horizon)) delete set.marks[revision];
        }
        set.versions = set.versions.filter(({ replacedAt }) => !isOld(Date.parse(replacedAt), 30));
      }
      for (const [name, { at }] of Object.entries(state.mutations)) if (isOld(at, 90)) delete state.mutations[name];
      return Promise.resolve();
    },
  };
}
