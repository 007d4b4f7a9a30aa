// Synchronises the global notes of several homes through a shared folder (a cloud drive, a USB stick). Each home appends to its own file and
// reads the files of the others. The newer of two conflicting changes wins. The other one is stored in conflicts.jsonl in the plugin's data.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const manifest = {
  name: 'notes-mirror',
  requires: ['notes'],
  config: {
    type: 'object',
    properties: {
      folder: { type: 'string', env: 'EXAMPLE_MIRROR_FOLDER', title: 'Folder of the notes mirror', description: 'Absolute; nothing is mirrored without it.' },
      everyMs: { type: 'integer', default: 60_000, minimum: 1_000, env: 'EXAMPLE_MIRROR_MS', description: 'How often, in milliseconds.' },
    },
  },
};

const set = /** @type {const} */ ({ scope: 'global' });

/**
 * Sync position of this home. It is written after both directions, so a crash only repeats idempotent changes.
 * @typedef {{ ownFile: string, cursor?: string, read: Record<string, number> }} State
 */

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  const { services, config, plugin, log } = registry;
  const { folder } = config;
  if (!folder) return;
  const dataPath = (/** @type {string} */ name) => join(plugin.dataDir, name);
  let last = Promise.resolve('');

  async function mirror() {
    await mkdir(plugin.dataDir, { recursive: true });
    await mkdir(folder, { recursive: true });
    const state = await readState();
    let taken = 0;
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.notes.jsonl') || name === state.ownFile) continue;
      const { notes, end } = await readNotes(join(folder, name), state.read[name] ?? 0);
      const merged = await services.notes.merge(set, notes, state.cursor);
      taken += merged.filter(({ outcome }) => outcome === 'taken').length;
      const lost = merged.flatMap((one) => one.lost ?? []);
      for (const { id } of lost) log.warn(`'${id}' was changed in two homes; the older text is in ${dataPath('conflicts.jsonl')}`);
      await appendFile(dataPath('conflicts.jsonl'), lines(lost));
      state.read[name] = end;
    }
    // Includes notes just received, for a home that reads only this file.
    const { notes, cursor } = await services.notes.changes(set, state.cursor);
    await appendFile(join(folder, state.ownFile), lines(notes));
    await writeFile(dataPath('state.json'), JSON.stringify({ ...state, cursor }));
    return `${taken} notes came from other homes, ${notes.length} went out.`;
  }

  /** @returns {Promise<State>} */
  async function readState() {
    const text = await readFile(dataPath('state.json'), 'utf8').catch(() => undefined);
    return text === undefined ? { ownFile: `${randomUUID()}.notes.jsonl`, read: {} } : JSON.parse(text);
  }

  /** Serializes the runs. */
  function mirrorNext() {
    const next = last.catch(() => '').then(mirror);
    last = next;
    return next;
  }

  registry.add('job', {
    name: 'mirror-notes',
    when: { everyMs: config.everyMs },
    run: async () => void (await mirrorNext()),
  });
  registry.add('slash_command', { name: 'mirror', summary: 'Brings the notes of all homes to the same state now.', run: mirrorNext });
  registry.defer(() => last.then(ignore, ignore), 'mirror');
}

const ignore = () => undefined;
const lines = (/** @type {readonly object[]} */ items) => items.map((item) => `${JSON.stringify(item)}\n`).join('');

/**
 * Reads the complete lines after `from`, or from the start if the file became shorter.
 * @param {string} path @param {number} from in bytes
 */
async function readNotes(path, from) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = size < from ? 0 : from;
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const end = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    const texts = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
    return { notes: texts.map((text) => JSON.parse(text)), end: start + end };
  } finally {
    await file.close();
  }
}
