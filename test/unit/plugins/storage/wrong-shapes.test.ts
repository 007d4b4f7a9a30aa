// Tests home files with valid JSON of a wrong shape: quarantined, reported, and no obstacle to the start.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../../../builtins/tools/vault/notes/ledger.ts';
import { createHeadFile } from '../../../../builtins/turn/compression/head-file.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { runs } from '../../../helpers/dice.ts';

const builtins = ['model-demo', 'pairing', 'plan', 'memory', 'integrations'];
const ledgerFile = `${createHash('sha256').update('/vault').digest('hex').slice(0, 16)}.json`;
const attachmentId = `att_${'0'.repeat(26)}`;

let home: string;
let workspace: string;
let harness: Harness;
let chatId: string;
let broken: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'shapes-home-'));
  workspace = await mkdtemp(join(tmpdir(), 'shapes-work-'));
  harness = await startHarness({ home, workspace, builtins });
  const [first, second, third] = await Promise.all(
    ['Kept', 'Broken', 'Deleted'].map(async (title) => (await harness.call('POST', '/api/chats', { title })).body.chatId),
  );
  await harness.call('DELETE', `/api/chats/${third}`);
  await harness.close({ keepFiles: true });
  [chatId, broken] = [first, second];
});
afterEach(async () => {
  await harness.close();
  for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
});

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** By path, with a nearly valid value and whether any map is valid. */
const files = (): Record<string, { readonly nearly: unknown; readonly isAnyMap?: true; readonly isSilent?: true }> => ({
  'active_chat.json': { nearly: { chatId: 5 } },
  '.agent_runtime_prefs.json': { nearly: [{}], isAnyMap: true },
  'paired_devices.json': { nearly: { devices: { one: {} } } },
  'trusted_workspaces.json': { nearly: { '/work': { files: 5 } } },
  'integrations.json': { nearly: { mcp: [] } },
  'integrations.key': { nearly: { key: 'too short' } },
  'license.json': { nearly: { token: 5 } },
  '.agent_notes.key': { nearly: { key: 'x'.repeat(64) } },
  '.agent_notes.json': { nearly: [{ value: 'x' }], isAnyMap: true },
  // Read before errors can be reported.
  'plugin_faults.json': { nearly: { one: 5 }, isSilent: true },
  [`chats/${broken}/meta.json`]: { nearly: { chatId: broken, title: 'Broken' } },
  [`chats/${chatId}/plan.json`]: { nearly: { turnId: 'turn_x', items: [{ text: 'x', status: 'unheard of' }] } },
  [`chats/${chatId}/context.json`]: { nearly: { version: 2, cut: 1 } },
  [`chats/${chatId}/attachments/${attachmentId}.json`]: { nearly: { attachmentId } },
  'chats/.trash/ages.json': { nearly: { lookedAt: 1, chats: { one: 5 } } },
  [ledgerFile]: { nearly: { 'a.md': 'x' } },
});

async function plant(contents: Record<string, unknown>): Promise<void> {
  for (const [path, value] of Object.entries(contents)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), JSON.stringify(value));
  }
  await writeFile(join(home, 'chats', chatId, 'attachments', attachmentId), 'text');
}

/** Makes every plugin read its files; nothing may fail. */
async function useAll(): Promise<void> {
  harness = await startHarness({ home, workspace, builtins });
  const { kernel } = harness;
  const { storage, chats } = { storage: kernel.resolve('storage'), chats: kernel.resolve('chats') };
  const of = `chatId=${chatId}`;
  const paths = ['/api/chats', '/api/chats/trash', '/api/settings', '/api/pair/devices', '/api/integrations', '/api/plugins'];
  for (const path of [...paths, `/api/workspace/trust?${of}`, `/api/plan?${of}`, `/api/memory?${of}`, `/api/attachments/${attachmentId}?${of}`]) {
    expect([path, (await harness.call('GET', path)).status]).toEqual([path, 200]);
  }
  expect((await harness.call('POST', '/api/memory', { key: 'a', value: 'x', chatId: chatId })).status).toBe(201);
  await kernel.resolve('license').ready();
  expect(await kernel.resolve('trust').isTrusted(workspace, 'files', '')).toBe(false);
  await kernel.resolve('connectionStore').seal('x');
  expect(await createHeadFile({ chats, storage }).read(chatId, [])).toBeUndefined();
  await openLedger(storage, home, '/vault').add('a.md', Buffer.from('x'), 'own');
}

async function contentsOf(path: string): Promise<{ readonly now: string | undefined; readonly quarantined: string[] }> {
  const folder = join(home, dirname(path));
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(path)}.corrupt-`));
  const quarantined = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return { now: await readFile(join(home, path), 'utf8').catch(() => undefined), quarantined };
}

test.each([
  ['null', () => null],
  ['a number', () => 5],
  ['a list', () => [1]],
  ['another object', () => ({ unexpected: true })],
  ['almost valid', (nearly: unknown) => nearly],
] as const)('wrong content (%s) in every file is quarantined and reported, nothing is lost, and the server starts', async (_, make) => {
  const table = files();
  const contents = Object.fromEntries(Object.entries(table).map(([path, { nearly }]) => [path, make(nearly)]));
  await plant(contents);
  await useAll();
  const { body } = await harness.call('GET', '/api/plugins');
  const messages = body.errors.filter(({ code }: { code: string }) => code === 'STORAGE_ERR_CORRUPT').map(({ message }: { message: string }) => message);
  for (const [path, { isAnyMap, isSilent }] of Object.entries(table)) {
    const text = JSON.stringify(contents[path]);
    const { now, quarantined } = await contentsOf(path);
    if (isAnyMap && isMap(contents[path])) {
      expect([path, quarantined]).toEqual([path, []]);
      expect(JSON.parse(now ?? '')).toMatchObject(contents[path]);
      continue;
    }
    expect([path, quarantined]).toEqual([path, [text]]);
    expect([path, now === text]).toEqual([path, false]);
    if (!isSilent) expect(messages).toContainEqual(expect.stringContaining(`'${join(home, path)}' contained JSON of an unexpected format`));
  }
  const { chats, orphanIds } = (await harness.call('GET', '/api/chats')).body;
  expect([chats.map(({ title }: { title: string }) => title), orphanIds]).toEqual([['Kept'], [broken]]);
});

test('any JSON in the files is preserved, and the server starts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 16, maxLength: 16 }), async (values) => {
      const contents = Object.fromEntries(Object.keys(files()).map((path, index) => [path, values[index]]));
      await plant(contents);
      try {
        await useAll();
      } finally {
        await harness.close({ keepFiles: true });
      }
      for (const [path, value] of Object.entries(contents)) {
        const { now, quarantined } = await contentsOf(path);
        const isThere =
          quarantined.includes(JSON.stringify(value)) ||
          (isMap(value) && now !== undefined && fc.stringify({ ...JSON.parse(now), ...value }) === fc.stringify(JSON.parse(now)));
        expect([path, value, isThere]).toEqual([path, value, true]);
      }
    }),
    runs(6),
  );
});
