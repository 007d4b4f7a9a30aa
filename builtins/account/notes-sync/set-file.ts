// Stores the sync state of note sets: one file per account, target and set, written atomically.
import { join } from 'node:path';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { SyncTarget } from './contract.ts';
import { newState, type KnownVersion, type SetRecord, type SetState } from './set-state.ts';

/** Identifies a set: its account, target and local name. */
export interface SetName {
  /** Differs per account, organisation and control plane. */
  readonly account: string;
  readonly target: SyncTarget['name'];
  readonly workspace: string;
  readonly workspaceRoot?: string;
}

interface SetFile extends SetName {
  readonly version: 1;
  readonly state: SetState;
  readonly known: readonly (readonly [string, KnownVersion])[];
}

export interface SetFiles {
  read(name: SetName): Promise<SetRecord>;
  write(name: SetName, record: SetRecord): Promise<void>;
  list(account: string): Promise<readonly (SetName & { readonly record: SetRecord })[]>;
  /** Returns the owner of the local notes: the last account that used the set with the user's agreement. */
  owner(name: SetName): Promise<string | undefined>;
  /** Records the account of the set as the owner of the local notes. */
  own(name: SetName): Promise<void>;
  /** Path of the file, for locks. */
  path(name: SetName): string;
  createClientId(): string;
}

export function createSetFiles(storage: Storage, folder: string): SetFiles {
  const ownersPath = join(folder, 'owners.json');
  const placeOf = ({ target, workspace, workspaceRoot = '' }: SetName): string => sha256(JSON.stringify([target, workspace, workspaceRoot])).slice(0, 32);
  const path = (name: SetName): string => join(folder, `${sha256(name.account).slice(0, 16)}-${placeOf(name)}.json`);
  const createClientId = (): string => storage.createId('copy');
  const recordOf = ({ state, known }: SetFile): SetRecord => ({ state: { ...state }, known: new Map(known) });
  return {
    path,
    createClientId,
    async read(name) {
      const file = await storage.readJson(path(name), isSetFile);
      return file ? recordOf(file) : { state: newState(createClientId()), known: new Map() };
    },
    write: (name, { state, known }) => storage.writeJson(path(name), { version: 1, ...name, state, known: [...known] } satisfies SetFile),
    async list(account) {
      const prefix = `${sha256(account).slice(0, 16)}-`;
      const names = (await storage.list(folder)).filter((file) => file.startsWith(prefix) && file.endsWith('.json')).sort();
      const files = await Promise.all(names.map((file) => storage.readJson(join(folder, file), isSetFile)));
      return files.flatMap((file) => {
        if (!file) return [];
        const { target, workspace, workspaceRoot } = file;
        return [{ account, target, workspace, ...(workspaceRoot === undefined ? {} : { workspaceRoot }), record: recordOf(file) }];
      });
    },
    owner: async (name) => (await storage.readJson(ownersPath, isOwners))?.[placeOf(name)],
    async own(name) {
      await storage.updateJson<Record<string, string>>(ownersPath, (owners = {}) => ({ ...owners, [placeOf(name)]: name.account }), { shape: isOwners });
    },
  };
}

function isSetFile(value: unknown): value is SetFile {
  return (
    isRecord(value) && value['version'] === 1 && isRecord(value['state']) && typeof value['state']['clientId'] === 'string' && Array.isArray(value['known'])
  );
}

function isOwners(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
}
