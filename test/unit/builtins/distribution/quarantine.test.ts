// What runs well for a while is kept as the version to go back to.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPluginVersions } from '../../../../builtins/distribution/plugin-host/plugin-versions.ts';
import { sweepCopies } from '../../../../builtins/distribution/plugin-host/version-sweep.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let home: string;
let folder: string;
let harness: Harness | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'versions-'));
  folder = join(home, 'plugins');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await rm(home, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });
const route = (path: string, handle: string): string =>
  `export function register(registry, emitter) { registry.add('route', { key: 'GET /api/${path}', summary: 'x', tag: 'x', schema: {}, handle: () => ${handle} }); }`;
const keptOf = (name: string): string[] => (existsSync(join(home, 'plugin-versions', name)) ? readdirSync(join(home, 'plugin-versions', name)) : []);

test('what was used and did nothing wrong is kept for the person alone; what was not used, or failed, is not', async () => {
  await write('used.mjs', route('used', '({})'));
  await write('unused.mjs', route('unused', '({})'));
  // In the process, where it has failed before anybody can look.
  await write('fails.mjs', `export const manifest = { name: 'fails', isolation: 'process' };\n${route('fails', `{ throw new Error('no') }`)}`);
  harness = await startHarness({ home, provenAfterMs: 20, environment: { AGENT_PLUGIN_DIR: folder } });
  for (const path of ['used', 'fails']) await harness.call('GET', `/api/${path}`);
  await expect.poll(() => keptOf('used')).toHaveLength(1);
  const place = join(home, 'plugin-versions/used', keptOf('used')[0] ?? '');
  expect([readdirSync(place), statSync(place).mode & 0o777, statSync(join(place, 'used.mjs')).mode & 0o077]).toEqual([['used.mjs'], 0o700, 0]);
  expect([keptOf('unused'), keptOf('fails')]).toEqual([[], []]);
});

test('three versions are kept, a folder as a whole and without its packages; one that is too large is not', async () => {
  const versions = openPluginVersions(home);
  const index = join(folder, 'whole/index.mjs');
  await mkdir(join(folder, 'whole/node_modules/big'), { recursive: true });
  await writeFile(join(folder, 'whole/node_modules/big/index.js'), 'x'.repeat(6_000_000));
  const contents: (string | undefined)[] = [];
  for (let at = 0; at < 5; at++) {
    await writeFile(index, `export function register() { return ${at} ? undefined : undefined; }`);
    await writeFile(join(folder, 'whole/part.mjs'), 'export const part = 1;');
    versions.keep('whole', index);
    const content = versions.contentOf(index) ?? '';
    contents.push(content);
    // So that each is older than the next.
    await utimes(join(home, 'plugin-versions/whole', content), 1_000 + at, 1_000 + at);
  }
  const [, , , before, newest] = contents;
  expect(new Set(keptOf('whole'))).toEqual(new Set(contents.slice(2)));
  const last = versions.lastGood('whole', index, newest);
  expect(last).toMatchObject({ content: before, path: join(home, 'plugin-versions/whole', before ?? '', 'whole/index.mjs') });
  expect(readdirSync(join(last?.path ?? '', '..')).sort()).toEqual(['index.mjs', 'part.mjs']);
  expect(versions.contentOf(last?.path ?? '')).toBe(before);
  await writeFile(join(folder, 'whole/large.bin'), 'x'.repeat(6_000_000));
  expect(versions.contentOf(index)).toBeUndefined();
});

test('over all plugins copies are bounded: what was used least lately goes first, what is needed stays, and what nobody finished goes', async () => {
  const contentOf = (at: number): string => String(at).repeat(64);
  const dir = join(home, 'plugin-versions');
  for (let at = 1; at < 6; at++) {
    const place = join(dir, `p${at}`, contentOf(at));
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'x.mjs'), 'x'.repeat(1_000));
    await utimes(place, 1_000 + at, 1_000 + at);
  }
  await mkdir(join(dir, 'p1', `${contentOf(7)}.new`));
  await utimes(join(dir, 'p1', `${contentOf(7)}.new`), 1_000, 1_000);
  const left = (): string[] => readdirSync(dir).flatMap((name) => readdirSync(join(dir, name)));
  await sweepCopies(dir, () => false);
  expect(left()).toHaveLength(5);
  await sweepCopies(dir, (name) => name === 'p1', { bytes: 3_000, copies: 100 });
  expect(left()).toEqual([1, 4, 5].map(contentOf));
  await sweepCopies(dir, (name) => name === 'p1', { bytes: 1_000_000, copies: 1 });
  expect(left()).toEqual([contentOf(1)]);
});

test('what a plugin runs as, and would go back to, is needed', async () => {
  await write('used.mjs', route('used', '({})'));
  const versions = openPluginVersions(home);
  versions.keep('used', join(folder, 'used.mjs'));
  const [before = ''] = keptOf('used');
  await write('used.mjs', route('used', '({ more: true })'));
  harness = await startHarness({ home, environment: { AGENT_PLUGIN_DIR: folder } });
  expect(harness.quarantine.isNeeded('used', before)).toBe(true);
  expect(harness.quarantine.isNeeded('used', 'f'.repeat(64))).toBe(false);
  expect(harness.quarantine.isNeeded('gone', before)).toBe(false);
  await harness.sweep();
  expect(keptOf('used')).toEqual([before]);
});
