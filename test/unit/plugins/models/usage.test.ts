import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJournalFiles } from '../../../../plugins/storage/journal-files.ts';
import { createUsageLog } from '../../../../plugins/models/usage-log.ts';
import { openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels | undefined;

const read = (query: object = {}): Promise<any> => Promise.resolve(opened?.routes.find(({ key }) => key === 'GET /api/usage')?.handle({ query } as never));

test('every call is booked in a private file, and calls of a chat emit a usage event', async () => {
  opened = await openModels([
    { text: 'a', usage: { input: 100, output: 20, cached: 80, cost: 0.5 } },
    { text: 'b', usage: false },
  ]);
  await opened.ask({ chatId: 'chat_1', turnId: 'turn_1' });
  await opened.ask({ purpose: 'title', plugin: 'namer' });
  expect(await opened.models.usage()).toMatchObject([
    { purpose: 'chat', model: 'scripted', chatId: 'chat_1', turnId: 'turn_1', input: 100, output: 20, cached: 80, cost: 0.5 },
    { purpose: 'title', plugin: 'namer', input: 0, output: 0, cached: 0 },
  ]);
  expect(opened.events).toEqual([
    {
      name: 'usage',
      payload: { chatId: 'chat_1', turnId: 'turn_1', model: 'scripted', purpose: 'chat', plugin: 'agent', input: 100, output: 20, cached: 80, cost: 0.5 },
    },
  ]);
  const path = join(opened.home, 'usage.jsonl');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2);
});

test('the route aggregates by chat, turn, purpose, plugin and day, and filters', async () => {
  opened = await openModels([]);
  const row = (at: string, chatId: string | undefined, purpose: string, cost?: number, more: object = {}): string =>
    `${JSON.stringify({ at, chatId, purpose, model: 'm', input: 10, output: 1, cached: 4, cost, ...more })}\n`;
  await writeFile(
    join(opened.home, 'usage.jsonl'),
    row('2026-01-01T10:00:00.000Z', 'chat_a', 'chat', 1, { turnId: 'turn_a' }) +
      row('2026-01-01T23:00:00.000Z', 'chat_b', 'chat') +
      '{"torn\n' +
      row('2026-01-02T00:00:00.000Z', undefined, 'dream', 2, { plugin: 'dream' }),
  );
  const all = await read();
  const one = { calls: 1, input: 10, output: 1, cached: 4, cost: 0 };
  expect(all.totals).toEqual({ calls: 3, input: 30, output: 3, cached: 12, cost: 3 });
  expect(all.byChat).toEqual({ chat_a: { ...one, cost: 1 }, chat_b: one });
  expect(Object.keys(all.byPurpose)).toEqual(['chat', 'dream']);
  expect(all.byTurn).toEqual({ turn_a: { ...one, cost: 1 } });
  expect(all.byPlugin).toEqual({ agent: { calls: 2, input: 20, output: 2, cached: 8, cost: 1 }, dream: { ...one, cost: 2 } });
  expect(all.byDay['2026-01-01']).toMatchObject({ calls: 2 });
  expect((await read({ chatId: 'chat_b' })).totals).toEqual(one);
  expect((await read({ turnId: 'turn_a' })).rows).toMatchObject([{ turnId: 'turn_a', cost: 1 }]);
  const callsOf = async (filter: object): Promise<number> => (await opened?.models.usage(filter))?.length ?? 0;
  expect([await callsOf({ purpose: 'chat' }), await callsOf({ plugin: 'agent' }), await callsOf({ plugin: 'dream' }), await callsOf({ model: 'n' })]).toEqual([
    2, 2, 1, 0,
  ]);
  expect((await read({ since: '2026-01-02' })).rows).toHaveLength(1);
  expect((await read({ since: '2026-01-02T01:00:00+02:00' })).rows).toHaveLength(2);
});

test('returns nothing without a file and limits many rows', async () => {
  opened = await openModels([]);
  expect(await read()).toMatchObject({ rows: [], totals: { calls: 0 } });
  const line = JSON.stringify({ at: '2026-01-01T00:00:00.000Z', purpose: 'chat', model: 'm', input: 1, output: 1, cached: 0 });
  await writeFile(join(opened.home, 'usage.jsonl'), `${line}\n`.repeat(5_000));
  const reply = await read();
  expect(reply.rows).toHaveLength(1_000);
  expect(reply.totals.calls).toBe(5_000);
});

test('a partial line after a crash does not lose the next row', async () => {
  opened = await openModels([{ text: 'a' }]);
  await appendFile(join(opened.home, 'usage.jsonl'), '{"at":"2026');
  await opened.ask();
  expect(await opened.models.usage()).toHaveLength(1);
});

test('a failed write is logged, and its row is written with the next one', async () => {
  opened = await openModels([]);
  const faults: unknown[] = [];
  const path = join(opened.home, 'later', 'usage.jsonl');
  const log = createUsageLog(createJournalFiles(), path, (cause) => faults.push(cause));
  const row = { at: 'x', purpose: 'chat', model: 'm', input: 1, output: 1, cached: 0 };
  log.add(row);
  log.flush();
  expect(faults).toHaveLength(1);
  await mkdir(join(opened.home, 'later'));
  log.add(row);
  log.flush();
  expect((await readFile(path, 'utf8')).match(/\n/g)).toHaveLength(2);
});
