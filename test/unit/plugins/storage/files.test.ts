import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStorage } from './open-storage.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const open = useEach(() => openStorage());

const at = (...parts: string[]): string => join(open.folder, ...parts);
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('reads back a written value', async () => {
  await open.storage.writeJson(at('one.json'), { a: [1, 'ä'] });
  expect(await open.storage.readJson(at('one.json'))).toEqual({ a: [1, 'ä'] });
});

test('a missing file reads as undefined, and removing it succeeds', async () => {
  expect(await open.storage.readJson(at('none.json'))).toBeUndefined();
  expect(await open.storage.readText(at('none', 'deeper.txt'))).toBeUndefined();
  await open.storage.remove(at('none.json'));
});

test('files get mode 0600 and new folders 0700, regardless of earlier modes', async () => {
  await open.storage.writeFile(at('a', 'b', 'secret'), 'x');
  expect(await modeOf(at('a', 'b', 'secret'))).toBe(0o600);
  expect(await modeOf(at('a', 'b'))).toBe(0o700);
  await writeFile(at('open'), 'x');
  await chmod(at('open'), 0o666);
  await open.storage.writeFile(at('open'), 'y');
  expect(await modeOf(at('open'))).toBe(0o600);
});

test('a write succeeds while its folder is being removed', async () => {
  for (let round = 0; round < 100; round++) {
    await open.storage.writeJson(at('persona', 'old.json'), round);
    const removing = rm(at('persona'), { recursive: true, force: true }).catch(() => undefined);
    await expect(open.storage.writeJson(at('persona', 'wish.json'), round)).resolves.toBeUndefined();
    await removing;
  }
});

test('applies an explicit file mode', async () => {
  await open.storage.writeFile(at('script'), new Uint8Array([35]), { mode: 0o755 });
  expect(await modeOf(at('script'))).toBe(0o755);
});

test('a failed write keeps the old file and leaves no temporary file', async () => {
  await mkdir(at('folder'));
  await writeFile(at('folder', 'kept'), 'x');
  await expect(open.storage.writeFile(at('folder'), 'y')).rejects.toThrow();
  expect(await readdir(open.folder)).toEqual(['folder']);
  expect(await readFile(at('folder', 'kept'), 'utf8')).toBe('x');
});

test('rejects a value that is not JSON and keeps the old file', async () => {
  await open.storage.writeJson(at('one.json'), 1);
  await expect(open.storage.writeJson(at('one.json'), undefined)).rejects.toThrow(TypeError);
  expect(await open.storage.readJson(at('one.json'))).toBe(1);
});

test('writes to one file happen in call order', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => open.storage.writeJson(at('n.json'), n)));
  expect(await open.storage.readJson(at('n.json'))).toBe(29);
  expect(await readdir(open.folder)).toEqual(['n.json']);
});

// A small file is read in one go, a larger one in chunks.
test.each([200_000, 400_000])('a reader never sees a partial file of %i characters', async (length) => {
  const big = (n: number): unknown => ({ n, text: 'x'.repeat(length) });
  await open.storage.writeJson(at('big.json'), big(0));
  let isWriting = true;
  const writing = (async () => {
    for (let n = 1; n <= 15; n++) await open.storage.writeJson(at('big.json'), big(n));
    isWriting = false;
  })();
  while (isWriting) {
    expect(await open.storage.readJson(at('big.json'))).toMatchObject({ n: expect.any(Number) });
    await nextPass();
  }
  await writing;
  expect(open.errors).toEqual([]);
});

test('an unparsable file is quarantined, reported, and reads as missing', async () => {
  await writeFile(at('broken.json'), '{"half": ');
  expect(await open.storage.readJson(at('broken.json'))).toBeUndefined();
  const [quarantined, ...others] = await readdir(open.folder);
  expect(others).toEqual([]);
  expect(quarantined).toMatch(/^broken\.json\.corrupt-\d{4}-\d\d-\d\dT[\d-]+Z$/);
  expect(await readFile(at(quarantined ?? ''), 'utf8')).toBe('{"half": ');
  expect(open.errors).toMatchObject([{ source: 'storage', code: 'STORAGE_ERR_CORRUPT', message: expect.stringContaining('broken.json') }]);
});

test('updating an unparsable file quarantines the broken one', async () => {
  await writeFile(at('broken.json'), 'nonsense');
  await open.storage.updateJson<number>(at('broken.json'), (current) => (current ?? 0) + 1);
  expect(await open.storage.readJson(at('broken.json'))).toBe(1);
  expect((await readdir(open.folder)).filter((name) => name.includes('.corrupt-'))).toHaveLength(1);
});

const isNamed = (value: unknown): value is { name: string } => typeof (value as { name?: unknown } | null)?.name === 'string';

test('a file written while a broken one is read is not quarantined', async () => {
  for (let n = 0; n < 20; n++) {
    await writeFile(at('odd.json'), '[1]');
    const reading = open.storage.readJson(at('odd.json'), isNamed);
    await open.storage.writeJson(at('odd.json'), { name: 'new' });
    await reading;
    expect(await open.storage.readJson(at('odd.json'), isNamed)).toEqual({ name: 'new' });
  }
});

test('accepts a byte order mark', async () => {
  await writeFile(at('bom.json'), '\uFEFF{"a":1}');
  expect(await open.storage.readJson(at('bom.json'))).toEqual({ a: 1 });
});

test.each(['{"__proto__":{"isAdmin":true},"a":1}', '{"\\u005f_proto__":{"isAdmin":true},"a":1}'])('a file cannot change a prototype: %s', async (text) => {
  await writeFile(at('evil.json'), text);
  const read = await open.storage.readJson<Record<string, unknown>>(at('evil.json'));
  expect(Object.keys(read ?? {})).toEqual(['a']);
  expect(Object.assign({}, read)).not.toHaveProperty('isAdmin');
});
