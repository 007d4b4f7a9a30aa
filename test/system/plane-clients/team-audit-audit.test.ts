// Tests the upload of turn metrics to the audit log: once, in batches, and delayed while offline.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTeam } from '../../helpers/plane-service.ts';

const { plane, admin, member, start } = useTeam({
  builtins: ['hub', 'model-chat-completions', 'team-audit'],
  script: [{ text: 'a secret answer', usage: { input: 7, output: 3, cost: 0.5 }, always: true }],
});
const logged = async (): Promise<any[]> => (await plane.call('GET', '/api/team/audit/events?kind=turn_end', { cookie: admin.cookie })).body.events;

test('uploads turn metrics without text', async () => {
  const service = await start();
  const [{ turnId, chatId }] = (await service.say('a secret question')) as [any];
  await expect.poll(async () => (await logged()).length).toBe(1);
  const [event] = await logged();
  expect(event).toMatchObject({
    ...{ id: `turn_end:${turnId}`, source: 'service', turnId, chatId },
    metrics: { reason: 'done', rounds: 1, tools: 0, inputTokens: 7, outputTokens: 3, costUsd: 0.5 },
  });
  expect(JSON.stringify(event)).not.toContain('secret');
  await expect.poll(() => readdir(join(service.home, 'team', 'audit'))).toEqual([]);
});

test('stores events on disk while offline, across a restart, and sends them later', async () => {
  const before = (await logged()).length;
  const first = await start({}, { ...member, url: 'http://127.0.0.1:9' });
  for (const text of ['one', 'two', 'three']) await first.say(text);
  const { home } = first;
  await first.close({ keepFiles: true });
  expect((await readdir(join(home, 'team', 'audit'))).length).toBeGreaterThan(0);
  const second = await start({ home });
  const stop = await second.kernel.control.start();
  await expect.poll(async () => (await logged()).length).toBe(before + 3);
  await expect.poll(() => readdir(join(home, 'team', 'audit'))).toEqual([]);
  await stop.dispose();
});

test('sends nothing with AGENT_TEAM_AUDIT_LOG=0', async () => {
  const before = (await logged()).length;
  const service = await start({ environment: { AGENT_TEAM_AUDIT_LOG: '0' } });
  await service.say();
  await expect(readdir(join(service.home, 'team', 'audit'))).rejects.toThrow('ENOENT');
  expect((await logged()).length).toBe(before);
});
