import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '#lib/errors';
import { afterEach, expect, test, vi } from 'vitest';
import { createWorld, fakeTool, type World } from './fake-world.ts';
import { jpeg, pixel, png } from '../../../helpers/pictures.ts';

let world: World;
/** Time also advances by itself, because parts of a start, such as a file lock, use timers too. */
const fakeTimers = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
afterEach(() => void vi.useRealTimers());

test('text is output, an exception is a failure, and a missing result is a plugin fault', async () => {
  const throws = (): never => {
    throw new Error('no disk');
  };
  world = await createWorld({
    tools: [
      fakeTool('says'),
      fakeTool('fails', { run: () => ({ ok: false, error: 'no', hint: 'try' }) }),
      fakeTool('throws', { run: throws }),
      fakeTool('rejects', { run: async () => Promise.reject('odd') }),
      fakeTool('refuses', { run: async () => Promise.reject(failure('This page does not exist.', 'Look for another.')) }),
      fakeTool('quotes', { run: async () => Promise.reject(Object.assign(failure('It says: no'), { isUntrusted: true })) }),
      fakeTool('codes', { run: async () => Promise.reject(Object.assign(new Error('The list is full.'), { code: 'KIT_ERR_FULL' })) }),
      fakeTool('silent', { run: (() => undefined) as never }),
      fakeTool('shapeless', { run: (() => ({ ok: true, output: 5 })) as never }),
    ],
  });
  expect(await world.run('says')).toEqual({ ok: true, output: 'says ran' });
  expect(await world.run('fails')).toEqual({ ok: false, error: 'no', hint: 'try' });
  expect(await world.run('throws')).toEqual({ ok: false, error: 'throws failed: no disk' });
  expect(await world.run('rejects')).toEqual({ ok: false, error: 'rejects failed: odd' });
  expect(await world.run('refuses')).toEqual({ ok: false, error: 'This page does not exist.', hint: 'Look for another.' });
  expect(await world.run('quotes')).toEqual({ ok: false, error: 'It says: no', isUntrusted: true });
  expect(await world.run('codes')).toEqual({ ok: false, error: 'The list is full.' });
  for (const name of ['silent', 'shapeless']) expect(await world.run(name)).toMatchObject({ ok: false, error: expect.stringContaining("plugin 'kit'") });
});

test('code is loaded once at the first call, and a failed load is retried', async () => {
  let loads = 0;
  const load = async () => {
    if (++loads === 1) throw new Error('cut');
    return () => 'loaded';
  };
  world = await createWorld({ tools: [fakeTool('lazy', { load })] });
  expect(loads).toBe(0);
  expect(await world.run('lazy')).toEqual({ ok: false, error: 'lazy failed: cut' });
  expect(await world.run('lazy')).toEqual({ ok: true, output: 'loaded' });
  expect(await world.run('lazy')).toEqual({ ok: true, output: 'loaded' });
  expect(loads).toBe(2);
});

test('a family loads the code of all its tools, and a missing tool fails', async () => {
  const family = { name: 'pair', description: 'P.', tools: [fakeTool('left'), fakeTool('right')], load: async () => ({ left: () => 'left' }) };
  world = await createWorld({ modules: { pair: { register: (registry: any) => registry.add('tool_family', family) } } });
  expect(await world.run('left')).toEqual({ ok: true, output: 'left' });
  expect(await world.run('right')).toMatchObject({ ok: false, error: expect.stringContaining("family 'pair' has no code for 'right'") });
});

test('a tool over its limit is aborted, and its output is preserved', async () => {
  const obeys = (_: never, { signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('half done')));
  world = await createWorld({ tools: [fakeTool('obeys', { run: obeys, timeoutMs: 500 })] });
  fakeTimers();
  const { running } = await world.start('obeys');
  await vi.advanceTimersByTimeAsync(500);
  expect(await running).toMatchObject({ ok: false, error: 'obeys did not finish within 0.5 s and was stopped.\nhalf done' });
});

test('a tool that ignores its limit is abandoned after 2 s', async () => {
  world = await createWorld({ tools: [fakeTool('hangs', { run: () => new Promise<string>(() => undefined) })] });
  fakeTimers();
  const { running } = await world.start('hangs');
  await vi.advanceTimersByTimeAsync(122_000);
  expect(await running).toMatchObject({ ok: false, error: expect.stringContaining('within 120 s and was stopped; it did not respond') });
});

test('aborting the turn ends a tool, even one without a limit', async () => {
  world = await createWorld({ tools: [fakeTool('waits', { run: () => new Promise<string>(() => undefined), timeoutMs: 0 })] });
  fakeTimers();
  const stop = new AbortController();
  const { running } = await world.start('waits', {}, { signal: stop.signal });
  await vi.advanceTimersByTimeAsync(3_600_000);
  stop.abort();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await running).toEqual({ ok: false, error: 'waits was stopped because the turn was aborted.' });
});

test('a call aborted before its code is loaded never starts', async () => {
  let began = 0;
  let loaded = (_: () => string): void => undefined;
  const load = () => new Promise<() => string>((resolve) => (loaded = resolve));
  world = await createWorld({ tools: [fakeTool('lazy', { load }), fakeTool('quick', { run: () => String(++began) })] });
  const stop = new AbortController();
  const { running } = await world.start('lazy', {}, { signal: stop.signal });
  stop.abort();
  loaded(() => String(++began));
  expect(await running).toMatchObject({ ok: false, error: expect.stringContaining('was stopped because the turn was aborted') });
  expect((await world.run('quick', {}, { signal: stop.signal })).ok).toBe(false);
  expect(began).toBe(0);
});

test('partial output of an aborted tool stays untrusted', async () => {
  const reads = (_: never, { signal }: { signal: AbortSignal }) =>
    new Promise<any>((resolve) => signal.addEventListener('abort', () => resolve({ ok: true, output: 'half a page', isUntrusted: true })));
  world = await createWorld({ tools: [fakeTool('reads', { run: reads })] });
  const stop = new AbortController();
  const { running } = await world.start('reads', {}, { signal: stop.signal });
  await new Promise(setImmediate);
  stop.abort();
  expect(await running).toMatchObject({ ok: false, isUntrusted: true, error: expect.stringContaining('half a page') });
});

test('a limit beyond the timer range acts as a long limit', async () => {
  world = await createWorld({ tools: [fakeTool('patient', { run: () => new Promise((resolve) => setTimeout(() => resolve('done'), 30)), timeoutMs: 1e12 })] });
  expect(await world.run('patient')).toEqual({ ok: true, output: 'done' });
});

test('output over the limit is truncated, and the full text is an artifact of the chat', async () => {
  const text = '😀'.repeat(30_000);
  const reader = fakeTool('show_rest', { traits: ['reads_artifacts'] });
  world = await createWorld({ tools: [fakeTool('long', { run: () => text }), fakeTool('exact', { run: () => 'x'.repeat(48_000) }), reader] });
  const outcome: any = await world.run('long');
  expect(outcome.output.length).toBeLessThanOrEqual(48_000);
  expect(outcome.output).toContain(`show_rest with id "${outcome.artifactId}"`);
  const [kept, line] = outcome.output.split('\n');
  expect(kept.isWellFormed()).toBe(true);
  expect(Number(/\[(\d+) characters/.exec(line)?.[1])).toBe(text.length - kept.length);
  const path = join(world.home, 'chats', world.chatId, 'artifacts', outcome.artifactId);
  expect(await readFile(path, 'utf8')).toBe(text);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await world.run('exact')).toEqual({ ok: true, output: 'x'.repeat(48_000) });
});

test('a long error is truncated too, and on a full disk only the artifact is lost', async () => {
  world = await createWorld({ tools: [fakeTool('long', { run: () => ({ ok: false, error: 'e'.repeat(50_000) }) })] });
  expect(await world.run('long')).toMatchObject({
    ok: false,
    error: expect.stringMatching(/the full text is artifact "[0-9a-f]{64}", which the user can open\]$/),
  });
  const chatId = world.kernel.resolve('storage').createId('chat');
  await writeFile(join(world.home, 'chats', chatId), 'no folder');
  const outcome: any = await world.run('long', {}, { chatId });
  expect(outcome.error).toContain('could not be saved');
  expect(outcome.error.length).toBeLessThanOrEqual(48_000);
});

test('artifacts are named by content hash, and an invalid id finds nothing', async () => {
  world = await createWorld();
  const artifacts = world.kernel.resolve('artifacts');
  const id = await artifacts.save(world.chatId, new Uint8Array([0, 255]));
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect([...((await artifacts.read(world.chatId, id)) ?? [])]).toEqual([0, 255]);
  expect(await artifacts.read(world.chatId, '../meta.json')).toBeUndefined();
  expect(await artifacts.read('../..', id)).toBeUndefined();
  expect(await artifacts.read(world.chatId, 'a'.repeat(64))).toBeUndefined();
});

test('tool images get their type from their bytes, and unsupported ones are described in text', async () => {
  const image = (bytes: Buffer, mimeType = 'image/jpeg') => ({ mimeType, base64: bytes.toString('base64') });
  const given = [image(png(1, 1)), image(png(2, 2).subarray(0, 30)), image(png(9_000, 9_000)), image(jpeg(1, 1)), null as never];
  world = await createWorld({ tools: [fakeTool('show', { run: () => Promise.resolve({ ok: true, output: 'Four pictures.', images: given }) })] });
  expect(await world.run('show')).toEqual({
    ok: true,
    output: [
      'Four pictures.',
      '[Image omitted: it is truncated or damaged.]',
      '[Image omitted: it has 9000 × 9000 pixels; models accept at most 8000 per side.]',
    ].join('\n'),
    images: [{ mimeType: 'image/png', base64: pixel }, given[3]],
  });
});
