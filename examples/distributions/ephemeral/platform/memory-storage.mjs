// Provides the services `storage` and `journals` in memory, as an example of a distribution with its own store. Paths are keys, and a folder
// is a common key prefix. `createMemoryStores` holds the implementation, which the plugin registers.
import { randomBytes } from 'node:crypto';

/** @type {import('agent-harness/kernel').PluginManifest} */
export const manifest = { name: 'memory-storage', provides: ['storage', 'journals'] };

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  const { storage, journals } = createMemoryStores((message) => registry.log.warn(message));
  registry.provide('storage', () => storage);
  registry.provide('journals', () => journals);
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const newline = 0x0a;

/**
 * Two stores created with the same `values` behave like two runs over one store.
 *
 * @param {(message: string) => void} warn
 * @param {Map<string, { bytes: Buffer }>} values
 * @returns {{ storage: import('agent-harness/plugins/storage').Storage, journals: import('agent-harness/plugins/storage').JournalStore }}
 */
export function createMemoryStores(warn = () => undefined, values = new Map()) {
  const queues = new Map();
  const moved = new Map();
  const locked = new Set();
  let lastMs = 0;
  let count = 0n;

  const below = (folder) => [...values.keys()].filter((path) => path.startsWith(`${folder}/`));
  const has = (path) => values.has(path) || below(path).length > 0;
  const put = (path, content) => void values.set(path, { bytes: Buffer.from(content) });
  const textOf = (path) => values.get(path)?.bytes.toString('utf8');
  const list = (folder) => [...new Set(below(folder).map((path) => path.slice(folder.length + 1).split('/', 1)[0]))];
  const refuse = (code, path) => Object.assign(new Error(`${code}: '${path}'`), { code, path });

  /** Serializes the operations on each path. */
  function inTurn(path, work) {
    const next = (queues.get(path) ?? Promise.resolve()).then(work);
    const settled = next.catch(() => undefined);
    queues.set(path, settled);
    void settled.then(() => queues.get(path) === settled && queues.delete(path));
    return next;
  }

  function parse(path, shape) {
    const text = textOf(path);
    if (text === undefined) return undefined;
    try {
      const value = JSON.parse(text);
      if (!shape || shape(value)) return value;
    } catch {
      // Invalid JSON is quarantined below.
    }
    const aside = `${path}.corrupt-${Date.now()}`;
    values.set(aside, values.get(path));
    values.delete(path);
    warn(`'${path}' has another shape than it must have; it was moved to '${aside}'.`);
    return undefined;
  }

  function toText(value) {
    const text = JSON.stringify(value, null, 2);
    if (text === undefined) throw new TypeError('A document cannot hold undefined; remove it instead.');
    return `${text}\n`;
  }

  const storage = {
    createId(prefix) {
      const now = Date.now();
      // Ids sort by creation time, also within one millisecond.
      count = now > lastMs ? BigInt(`0x${randomBytes(9).toString('hex')}`) : count + 1n;
      lastMs = Math.max(now, lastMs);
      let rest = (BigInt(lastMs) << 80n) + count;
      let id = '';
      for (let digits = 0; digits < 26; digits++, rest >>= 5n) id = letters[Number(rest & 31n)] + id;
      return `${prefix}_${id}`;
    },
    isId: (prefix, text) => typeof text === 'string' && text.startsWith(`${prefix}_`) && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text.slice(prefix.length + 1)),
    readJson: async (path, shape) => parse(path, shape),
    writeJson: async (path, value) => put(path, toText(value)),
    updateJson: (path, change, { shape } = {}) =>
      inTurn(path, async () => {
        const next = await change(parse(path, shape));
        put(path, toText(next));
        return next;
      }),
    readText: async (path) => textOf(path),
    readBytes: async (path) => (values.has(path) ? Buffer.from(values.get(path).bytes) : undefined),
    has: async (path) => has(path),
    list: async (folder) => list(folder),
    async move(from, to) {
      const all = values.has(from) ? [from] : below(from);
      if (all.length === 0) throw refuse('ENOENT', from);
      if (below(to).length > 0) throw refuse('ENOTEMPTY', to);
      for (const path of all) {
        values.set(to + path.slice(from.length), values.get(path));
        values.delete(path);
      }
      moved.set(to, Date.now());
    },
    movedAt: async (path) => (has(path) ? (moved.get(path) ?? 0) : undefined),
    async copy(from, to) {
      for (const path of below(from)) put(to + path.slice(from.length), values.get(path).bytes);
    },
    async removeFolder(folder) {
      for (const path of [folder, ...below(folder)]) values.delete(path);
    },
    writeFile: async (path, content, { keepsExisting } = {}) => void ((keepsExisting && values.has(path)) || put(path, content)),
    remove: async (path) => void values.delete(path),
    atOnce: {
      read: textOf,
      write: put,
      writeAhead: async (path, text, isWanted) => isWanted() && (put(path, text), true),
      remove: (path) => void values.delete(path),
      list,
    },
    createLineFile({ path, fullPath, maxBytes }) {
      return {
        add(line) {
          const before = values.get(path)?.bytes ?? Buffer.alloc(0);
          if (before.length >= maxBytes) put(fullPath, before);
          put(path, Buffer.concat([before.length >= maxBytes ? Buffer.alloc(0) : before, Buffer.from(`${JSON.stringify(line)}\n`)]));
        },
        flush: async () => undefined,
      };
    },
    removeLeftovers: async () => 0,
    watchFile: () => () => undefined,
    async lock(path) {
      if (locked.has(path)) throw Object.assign(new Error(`'${path}' is in use.`), { code: 'STORAGE_ERR_LOCKED' });
      locked.add(path);
      return { dispose: () => void locked.delete(path) };
    },
    unwritable: (fault) => fault,
  };

  /** Returns the lines of a journal part with their byte offsets. A last line without a line break counts if it is a complete JSON object. */
  function linesOf(path, end = Infinity) {
    const bytes = values.get(path)?.bytes ?? Buffer.alloc(0);
    const lines = [];
    for (let start = 0; start < Math.min(bytes.length, end);) {
      const found = bytes.indexOf(newline, start);
      const text = bytes.toString('utf8', start, found < 0 ? bytes.length : found);
      if (text !== '' && (found >= 0 || isLine(text))) lines.push({ text, start });
      start = found < 0 ? bytes.length : found + 1;
    }
    return lines;
  }

  function lastOf(path, look) {
    for (const { text } of linesOf(path).reverse()) {
      const found = look?.(text);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  const journals = {
    open(path, { look, makesFolder }) {
      if (!makesFolder && !has(path.slice(0, path.lastIndexOf('/')))) return undefined;
      const journal = values.get(path) ?? { bytes: Buffer.alloc(0) };
      values.set(path, journal);
      const last = lastOf(path, look);
      const tail = journal.bytes.subarray(journal.bytes.lastIndexOf(newline) + 1);
      const isCut = tail.length > 0 && !isLine(tail.toString('utf8'));
      const aside = isCut ? `${path}.cut-${Date.now()}` : '';
      if (isCut) {
        put(aside, tail);
        journal.bytes = journal.bytes.subarray(0, journal.bytes.length - tail.length);
      }
      const append = (lines) => void (journal.bytes = Buffer.concat([journal.bytes, Buffer.from(lines)]));
      const wasOpen = tail.length > 0 && !isCut;
      if (wasOpen) append('\n');
      return { last, cut: isCut ? tail.length : 0, aside, wasOpen, append, sync: async () => undefined, close: async () => undefined };
    },
    async *read(path) {
      const lines = linesOf(path);
      if (lines.length > 0) yield lines;
    },
    async *readBackwards(path, end) {
      yield* linesOf(path, end).reverse();
    },
    last: lastOf,
    size: async (path) => values.get(path)?.bytes.length,
  };

  return { storage, journals };
}

function isLine(text) {
  if (!text.startsWith('{') || !text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
