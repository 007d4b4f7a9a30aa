// Tests file system failures: reported immediately, with one code, in words, and as one event.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileRefusalOf } from '#lib/errors';
import { expect, test } from 'vitest';
import { openStorage } from './open-storage.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const open = useEach(() => openStorage());
const at = (...parts: string[]): string => join(open.folder, ...parts);
const refused = (why: string): object => ({ code: 'STORAGE_ERR_UNWRITABLE', status: 503, message: expect.stringContaining(why) });

test('every write operation rejects with one code, the reason and advice', async () => {
  await writeFile(at('file'), '');
  await mkdir(at('folder', 'inner'), { recursive: true });
  const { storage } = open;
  const below = at('file', 'below.json');
  const why = 'a part of the path is a file, not a folder. Move or rename that file.';
  await expect(storage.writeJson(below, 1)).rejects.toMatchObject(refused(why));
  await expect(storage.writeFile(below, '1')).rejects.toMatchObject(refused(why));
  await expect(storage.updateJson(below, () => 1)).rejects.toMatchObject(refused('cannot be written'));
  await expect(storage.lock(below)).rejects.toMatchObject(refused('cannot be written'));
  await expect(storage.writeJson(at('folder'), 1)).rejects.toMatchObject(refused('it is a folder'));
  await expect(storage.remove(at('folder'))).rejects.toMatchObject({ code: 'STORAGE_ERR_UNWRITABLE', status: 503 });
  await expect(storage.readJson(at('folder'))).rejects.toMatchObject({ code: 'STORAGE_ERR_UNREADABLE', status: 503 });
});

// The retries of the library would last ten seconds for an invalid name.
test('waits only for a held lock', async () => {
  await expect(open.storage.updateJson(at('x'.repeat(252)), () => 1)).rejects.toMatchObject(refused('the path is too long'));
}, 9_000);

test('repeated failures emit one event until a write succeeds', async () => {
  const path = at('twice');
  await mkdir(path);
  for (let n = 0; n < 3; n++) await expect(open.storage.writeJson(path, 1)).rejects.toMatchObject(refused('it is a folder'));
  expect(open.errors).toMatchObject([{ source: 'storage', code: 'STORAGE_ERR_UNWRITABLE', message: expect.stringContaining(path) }]);
  await rm(path, { recursive: true });
  await open.storage.writeJson(path, 1);
  await rm(path);
  await mkdir(path);
  await expect(open.storage.writeJson(path, 1)).rejects.toThrow();
  expect(open.errors).toHaveLength(2);
});

test('an error of the update function is passed through', async () => {
  const own = Object.assign(new Error('changed my mind'), { code: 'OWN_ERR_MIND' });
  await expect(open.storage.updateJson<number>(at('kept.json'), () => Promise.reject(own))).rejects.toBe(own);
  expect(open.storage.unwritable(own, at('kept.json'))).toBe(own);
  expect(fileRefusalOf(own)).toBeUndefined();
  expect(open.errors).toEqual([]);
});

test.each([
  ['ENOSPC', 'the disk is full', true],
  ['EDQUOT', 'the disk quota is exceeded', true],
  ['EROFS', 'the file system is read-only', true],
  ['EACCES', 'permission denied', false],
  ['EIO', 'the disk reports an error', false],
  ['EBUSY', 'the system reports EBUSY', false],
] as const)('%s is described in words, and without a path only a disk-wide failure is reported (%#)', (code, why, isOfDisk) => {
  const { storage } = open;
  const fault = Object.assign(new Error(`${code}: no`), { code });
  expect(fileRefusalOf(fault)?.reason).toBe(why);
  const named = storage.unwritable(fault, '/some/file');
  expect(named).toMatchObject({ ...refused(`'/some/file' cannot be written: ${why}. `), cause: fault });
  expect(fileRefusalOf(named)?.reason).toBe(why);
  expect(storage.unwritable(named, '/other')).toBe(named);
  if (isOfDisk) expect(storage.unwritable(fault)).toMatchObject(refused(`A file cannot be written: ${why}. `));
  else expect(storage.unwritable(fault)).toBe(fault);
});

test('removals on a full disk do not count as a successful write', async () => {
  const { storage } = open;
  const full = Object.assign(new Error('ENOSPC: no'), { code: 'ENOSPC' });
  storage.unwritable(full, at('one'));
  await storage.remove(at('one'));
  await storage.removeFolder(at('folder'));
  storage.unwritable(full, at('two'));
  expect(open.errors).toHaveLength(1);
  await storage.writeFile(at('three'), '');
  storage.unwritable(full, at('two'));
  expect(open.errors).toHaveLength(2);
});
