// Tests the cleanup of temporary files that killed writers left in a home.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHarness, useFolder } from '../../../helpers/in-process.ts';

let living: ChildProcess;
const home = useFolder('leftovers-');
beforeEach(async () => {
  living = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
});
afterEach(async () => {
  living.kill('SIGKILL');
});

const chat = 'chats/chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const temporaries = async (): Promise<string[]> => (await readdir(home, { recursive: true })).filter((name) => name.endsWith('.tmp')).sort();

async function put(name: string): Promise<string> {
  const path = join(home, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'half');
  return name;
}

test('a start removes leftovers of killed writers, but no files of live writers or the user', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['-e', '']);
  await put(`.integrations.json.${dead}-0123456789ab.tmp`);
  await put(`event_id.json.${dead}.tmp`);
  await put(`${chat}/.meta.json.${dead}-0123456789ab.tmp`);
  await put(`memory/notes.jsonl.${dead}-1.tmp`);
  // Written by an earlier process with the same pid.
  await put(`.preferences.json.${process.pid}-0123456789ab.tmp`);
  const live = [
    await put(`.preferences.json.${living.pid}-0123456789ab.tmp`),
    await put(`notes.jsonl.${process.pid}-1.tmp`),
    await put(`${chat}/workspace/.page.html.${dead}-0123456789ab.tmp`),
    await put('notes.tmp'),
  ].sort();
  await startHarness({ home, builtins: [] });
  await vi.waitFor(async () => expect(await temporaries()).toEqual(live), 10_000);
});

test('removeLeftovers stops on abort and returns the number of removed files', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['-e', '']);
  await put(`event_id.json.${dead}.tmp`);
  const harness = await startHarness({ home, builtins: [], listen: false });
  const storage = harness.kernel.resolve('storage');
  expect(await storage.removeLeftovers(home, AbortSignal.abort())).toBe(0);
  expect(await storage.removeLeftovers(home, new AbortController().signal)).toBe(1);
  expect(await storage.removeLeftovers(home, new AbortController().signal)).toBe(0);
});

test('does not remove files that this process is writing', async () => {
  const harness = await startHarness({ home, builtins: [], listen: false });
  const storage = harness.kernel.resolve('storage');
  const path = join(home, 'large.txt');
  const text = 'x'.repeat(8_000_000);
  let isWriting = true;
  const writes = Promise.all([1, 2, 3].map(() => storage.writeFile(path, text))).finally(() => (isWriting = false));
  while (isWriting) expect(await storage.removeLeftovers(home, new AbortController().signal)).toBe(0);
  await writes;
  expect(await temporaries()).toEqual([]);
});
