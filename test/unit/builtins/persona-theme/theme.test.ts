// Tests the persona theme over HTTP and on disk: generated, chosen by hand, removed, and limited to known choices and colours.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PageMeta } from '../../../../builtins/clients/web-ui/contract.ts';
import { themeOf } from '../../../../builtins/persona/persona-theme/heuristic.ts';
import { type Harness, type HarnessOptions, openEventStream, startHarness } from '../../../helpers/in-process.ts';
import { make } from '../persona/persona-world.ts';

const builtins = ['persona', 'persona-theme', 'absent-features', 'model-demo'];
const sentence = 'A cheerful pirate of the northern sea, playful, but careful with my files.';
const theme = { mood: 'bold', shape: 'sharp', density: 'compact', font: 'mono', accent: '#00a86b', ground: '#103020' };

let harness: Harness;

const start = async (options: HarnessOptions = {}): Promise<void> => void (harness = await startHarness({ builtins, ...options }));
const shown = async (): Promise<any> => (await harness.call('GET', '/api/config')).body.personaUiTheme;
const themeFile = (): string => join(harness.home, 'persona', 'active', 'ui_theme.json');

test('has no theme without a persona, and gets one by rules with the persona', async () => {
  await start();
  expect(await shown()).toBeNull();
  await make(harness, sentence);
  const found = await shown();
  expect(found.theme).toMatchObject({ mood: 'playful', shape: 'round', accent: '#1f8fb8' });
  expect(Object.keys(found.palette.light)).toContain('code-keyword');
  expect(found.palette.dark.surface).toMatch(/^#[0-9a-f]{6}$/);
  expect(JSON.parse(await readFile(themeFile(), 'utf8'))).toMatchObject(found.theme);
  expect((await harness.call('GET', '/api/persona/theme')).body.personaUiTheme).toEqual(found);
});

test('sets and removes a theme by hand and emits an event for each change', async () => {
  await start();
  await make(harness, sentence);
  const stream = await openEventStream(harness, { chatId: 'all' });
  expect((await harness.call('PUT', '/api/persona/theme', { theme })).status).toBe(200);
  await stream.until((event: any) => event.kind === 'persona_changed' && event.change === 'artifact');
  stream.close();
  expect((await shown()).theme).toEqual(theme);
  expect((await shown()).palette.measures).toMatchObject({ radius: '3px' });
  expect((await harness.call('PUT', '/api/persona/theme', { theme: null })).status).toBe(200);
  expect(await shown()).toBeNull();
});

test('rejects an extended and an incomplete theme and keeps the previous one', async () => {
  await start();
  await make(harness, sentence);
  const before = await shown();
  for (const wrong of [{ ...theme, css: 'body { display: none }' }, { mood: 'bold' }]) {
    const reply = await harness.call('PUT', '/api/persona/theme', { theme: wrong });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_request']);
  }
  expect(await shown()).toEqual(before);
});

test('ignores an invalid theme that another program wrote to the file', async () => {
  await start();
  await make(harness, sentence);
  await writeFile(themeFile(), JSON.stringify({ ...theme, accent: 'url(javascript:alert(1))' }));
  await harness.close({ keepFiles: true });
  await start({ home: harness.home });
  expect(JSON.stringify(await shown())).not.toContain('javascript');
});

test('puts the colours into the page metadata', async () => {
  const metas: PageMeta[] = [];
  // Collects the contributions in place of the web page, which requires a build.
  const page = { register: (registry: any) => registry.point('page_meta', { added: (meta: PageMeta) => metas.push(meta) }) };
  await start({ modules: { page } });
  await make(harness, sentence);
  expect(metas.map(({ name }) => name)).toEqual(['page-tokens']);
  const tokens = JSON.parse((await metas[0]?.content()) ?? '');
  const { palette } = await shown();
  expect(tokens.surface).toBe(`light-dark(${palette.light.surface}, ${palette.dark.surface})`);
  expect(tokens.radius).toBe(palette.measures.radius);
});

test('derives the same valid theme from the same sentence, for any text', () => {
  expect(themeOf('A terse hacker in a terminal.')).toMatchObject({ mood: 'serious', shape: 'sharp', density: 'compact', font: 'mono', accent: '#00a86b' });
  expect(themeOf('A calm, patient monk.')).toMatchObject({ mood: 'calm', density: 'airy', font: 'serif' });
  expect(themeOf('Use #FF8800 and #123456.')).toMatchObject({ accent: '#ff8800', ground: '#123456' });
  expect(themeOf('Ein ruhiger Lehrer, ruhig und herzlich, mit Grün')).toMatchObject({ accent: '#2e8b57' });
  for (const text of ['', '🦊', '   ', '<script>alert(1)</script>', 'constructor __proto__ toString', 'x'.repeat(2_000), '日本語で話す']) {
    expect(themeOf(text)).toEqual(themeOf(text));
    expect(themeOf(text).accent).toMatch(/^#[0-9a-f]{6}$/);
  }
  expect(themeOf('one').accent).not.toBe(themeOf('two').accent);
});
