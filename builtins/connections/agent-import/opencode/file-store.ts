// Reads the session files of opencode before 1.2: `session/<project>/<id>.json`, `message/<session>/<id>.json`, `part/<message>/<id>.json`.
import { join } from 'node:path';
import { isRecord, jsonOf } from '#lib/values';
import { listFolder, readText } from '../bounded-files.ts';
import type { ReadFaults } from '../foreign.ts';
import { textIn, type Fields } from '../texts.ts';
import type { SessionStore } from './session-store.ts';

const largestFile = 8 * 1024 * 1024;

export function createFileStore(root: string): SessionStore {
  /** Reads the files sorted by name, which is their order of creation. */
  async function readAll(folder: string, faults: ReadFaults): Promise<Fields[]> {
    const found: Fields[] = [];
    for (const { path, name } of (await listFolder(folder)).files) {
      if (!name.endsWith('.json')) continue;
      const value = jsonOf((await readText(path, largestFile)) ?? '');
      if (isRecord(value)) found.push(value);
      else faults.broken++;
    }
    return found;
  }

  return {
    async sessions() {
      const { folders } = await listFolder(join(root, 'session'));
      const all = await Promise.all(folders.map(({ path }) => readAll(path, { broken: 0, isCut: false })));
      return all.flat();
    },
    async *messages(sessionId, faults) {
      for (const message of await readAll(join(root, 'message', sessionId), faults)) {
        const id = textIn(message, 'id');
        if (id === undefined || !/^[\w-]{1,100}$/.test(id)) {
          faults.broken++;
          continue;
        }
        const parts = await readAll(join(root, 'part', id), faults);
        yield { message, parts: parts.length > 0 ? parts : await readAll(join(root, 'part', sessionId, id), faults) };
      }
    },
    close: () => undefined,
  };
}
