// Simulates one installation in a random sync history: its notes, its sync state, and crashes at every step.
import type { MergedNote, StoredNote, TravellingNote } from '../../../../builtins/tools/memory/contract.ts';
import { mergeNote, readCursor, travelling, writeCursor } from '../../../../builtins/tools/memory/notes/travelling-notes.ts';
import { newState, type SetRecord } from '../../../../builtins/account/notes-sync/set-state.ts';
import { syncSet, type PlaneCopy, type Replica, type SyncPorts } from '../../../../builtins/account/notes-sync/sync-set.ts';
import { nextTime } from '../../../../plugins/lib/copies.ts';
import { copyJson } from '../../../../plugins/lib/values.ts';

export interface CopyParts {
  readonly name: string;
  /** Milliseconds since 1970, including this installation's clock skew. */
  now(): number;
  mayCrash(): void;
  readonly plane: PlaneCopy;
}

export class Crash extends Error {}

export interface Copy {
  readonly name: string;
  write(key: string, value: string): TravellingNote;
  forget(key: string): TravellingNote | undefined;
  sync(direction?: 'pull' | 'push' | 'both'): Promise<void>;
  live(): Record<string, TravellingNote>;
  backup(): unknown;
  restore(backup: unknown): void;
}

interface Disk {
  notes: Record<string, StoredNote>;
  serial: number;
  state: SetRecord['state'];
  known: [string, readonly [string, string]][];
}

export function createCopy({ name, now, mayCrash, plane }: CopyParts): Copy {
  let clients = 0;
  const createClientId = (): string => `${name}-${clients++}`;
  let disk: Disk = { notes: {}, serial: 0, state: { ...newState(createClientId()), isAgreed: true }, known: [] };

  function put(id: string, note: StoredNote): void {
    disk.notes[id] = { ...note, serial: ++disk.serial };
  }

  const replica: Replica = {
    async changes(since) {
      mayCrash();
      const from = readCursor(since, disk.serial, 0);
      const changed = Object.entries(disk.notes).filter(([, { serial = 0 }]) => serial > (from ?? 0));
      const notes = changed.sort(([, one], [, other]) => (one.serial ?? 0) - (other.serial ?? 0)).map(([id, note]) => travelling(id, note));
      return Promise.resolve({ cursor: writeCursor(disk.serial, 0), isReset: from === undefined, notes });
    },
    async merge(notes, since) {
      const from = readCursor(since, disk.serial, 0) ?? 0;
      const merged: MergedNote[] = [];
      for (const note of notes) {
        mayCrash();
        const before = disk.notes[note.id];
        const { next, ...said } = mergeNote(note, before, before, from);
        if (next) put(note.id, next);
        merged.push(said);
      }
      mayCrash();
      return Promise.resolve(merged);
    },
  };

  return {
    name,
    write(key, value) {
      const id = `fact:${key}`;
      const before = disk.notes[id];
      const updatedAt = nextTime(now(), before?.updatedAt);
      put(id, {
        ...{ value, updatedAt, createdAt: updatedAt, accessCount: 0, confidence: 1, links: [], source: { kind: 'user', ref: name } },
        revision: (before?.revision ?? 0) + 1,
      });
      return travelling(id, disk.notes[id] as StoredNote);
    },
    forget(key) {
      const id = `fact:${key}`;
      const before = disk.notes[id];
      if (!before || before.deletedAt !== undefined) return undefined;
      const at = nextTime(now(), before.updatedAt);
      put(id, { ...before, updatedAt: at, deletedAt: at, revision: before.revision + 1 });
      return travelling(id, disk.notes[id] as StoredNote);
    },
    async sync(direction = 'both') {
      const record: SetRecord = { state: copyJson(disk.state), known: new Map(copyJson(disk.known) as [string, [string, string]][]) };
      const ports: SyncPorts = {
        ...{ replica, plane, record, createClientId },
        async save() {
          mayCrash();
          disk = { ...disk, ...(copyJson({ state: record.state, known: [...record.known] }) as Pick<Disk, 'state' | 'known'>) };
          mayCrash();
          return Promise.resolve();
        },
        isForeign: () => false,
        now: () => new Date(now()).toISOString(),
      };
      await syncSet(ports, direction);
    },
    live: () => Object.fromEntries(Object.entries(disk.notes).flatMap(([id, note]) => (note.deletedAt === undefined ? [[id, travelling(id, note)]] : []))),
    backup: () => copyJson(disk),
    restore: (backup) => void (disk = copyJson(backup) as Disk),
  };
}
