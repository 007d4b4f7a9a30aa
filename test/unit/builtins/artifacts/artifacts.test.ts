import { describe, expect, test } from 'vitest';
import * as artifacts from '../../../../builtins/tools/artifacts/index.ts';
import { createWorld } from '../../plugins/tools/fake-world.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const world = useEach(() => createWorld({ modules: { artifacts } as never }));

const save = (content: string | Uint8Array): Promise<string> => world.kernel.resolve('artifacts').save(world.chatId, content);
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

describe('read_artifact', () => {
  test('reads a text in full or by lines, as text from outside where nobody said that it is not', async () => {
    const id = await save(lines(5));
    expect(await world.run('read_artifact', { id })).toEqual({ ok: true, isUntrusted: true, output: `[lines 1 to 5 of 5]\n${lines(5)}` });
    expect(await world.run('read_artifact', { id, startLine: 2, endLine: '3' })).toMatchObject({
      output: '[lines 2 to 3 of 5; go on with startLine 4]\nline 2\nline 3',
    });
  });

  test('a text of our own stays our own, until the same text comes from outside', async () => {
    const store = world.kernel.resolve('artifacts');
    const isUntrusted = async (id: string): Promise<unknown> => ((await world.run('read_artifact', { id })) as any).isUntrusted;
    const id = await store.save(world.chatId, lines(5), { isOwn: true });
    expect(await isUntrusted(id)).toBeUndefined();
    await store.save(world.chatId, lines(5), { isOwn: true });
    expect(await isUntrusted(id)).toBeUndefined();
    await save(lines(5));
    expect(await isUntrusted(id)).toBe(true);
    await store.save(world.chatId, lines(5), { isOwn: true });
    expect(await isUntrusted(id)).toBe(true);
    const doubted = await store.save(world.chatId, lines(6), { isOwn: true });
    await store.distrust(world.chatId, doubted);
    expect(await isUntrusted(doubted)).toBe(true);
    const elsewhere = await store.save(world.chatId, lines(7), { isOwn: true });
    expect(await store.isOwn(world.kernel.resolve('storage').createId('chat'), elsewhere)).toBe(false);
    expect(await store.isOwn(world.chatId, '../meta')).toBe(false);
  });

  test('never answers more than fits, and every part of a long text can be reached', async () => {
    const text = `${'x'.repeat(90_000)}\n${lines(20_000)}`;
    const id = await save(text);
    let startLine: number | undefined = 1;
    let all = '';
    for (let round = 0; startLine !== undefined && round < 50; round++) {
      const outcome: any = await world.run('read_artifact', { id, startLine });
      expect(outcome.output.length).toBeLessThan(48_000);
      const [head, ...rest] = outcome.output.split('\n');
      all += `${rest.join('\n')}\n`;
      startLine = /startLine (\d+)/.test(head) ? Number(RegExp.$1) : undefined;
    }
    expect(startLine).toBeUndefined();
    expect(all.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
  });

  test('says what is wrong with an id or a range', async () => {
    const id = await save(lines(5));
    expect(await world.run('read_artifact', { id: 'a'.repeat(64) })).toMatchObject({ ok: false, error: expect.stringContaining('no artifact') });
    expect(await world.run('read_artifact', { id: '../meta' })).toMatchObject({ ok: false, error: expect.stringContaining('/id') });
    expect(await world.run('read_artifact', { id, startLine: 6 })).toMatchObject({ ok: false, error: expect.stringContaining('5 lines') });
    expect(await world.run('read_artifact', { id, startLine: 3, endLine: 2 })).toMatchObject({ ok: false });
    const other = { chatId: world.kernel.resolve('storage').createId('chat') };
    expect(await world.run('read_artifact', { id }, other)).toMatchObject({ ok: false, error: expect.stringContaining('no artifact') });
  });

  test('does not show what is no text', async () => {
    for (const bytes of [new Uint8Array([137, 80, 0]), new Uint8Array([0xff, 0xfe])])
      expect(await world.run('read_artifact', { id: await save(bytes) })).toMatchObject({ ok: false, error: expect.stringContaining('not text') });
  });
});

describe('GET /api/artifacts/:id', () => {
  const get = (id: string, query: object = {}): Promise<any> => world.call('GET /api/artifacts/:id', { params: { id }, query });

  test('text is plain text whatever it holds, and other bytes are a download', async () => {
    const page = await get(await save('<script>alert(1)</script>'), { chatId: world.chatId });
    expect(page).toMatchObject({ type: 'text/plain; charset=utf-8', isImmutable: true });
    expect(page).not.toHaveProperty('download');
    const id = await save(new Uint8Array([0, 1, 2]));
    expect(await get(id)).toMatchObject({ type: 'application/octet-stream', download: id, tag: id, content: Buffer.from([0, 1, 2]) });
  });

  test('an unknown id, an id that is none and an unknown chat are not found', async () => {
    for (const id of ['a'.repeat(64), '../../meta.json', 'x']) await expect(get(id)).rejects.toMatchObject({ code: 'ARTIFACTS_ERR_NOT_FOUND', status: 404 });
    await expect(get(await save('x'), { chatId: '..' })).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND' });
  });
});
