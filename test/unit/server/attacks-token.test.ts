// Tests guessing the token, and searches for it where it must not appear.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, runTurn, startHarness } from '../../helpers/in-process.ts';
import { rawRequest } from '../../helpers/raw-request.ts';

let harness: Harness | undefined;

test('the eleventh token guess is delayed for any header, while the right token still works', async () => {
  harness = await startHarness({ builtins: ['model-demo'] });
  const { url, token } = harness;
  const guess = (n: number) => String(n).padStart(64, '0');
  const ways = [
    (n: number) => rawRequest(url, 'GET', '/api/status', { authorization: `Bearer ${guess(n)}` }),
    (n: number) => rawRequest(url, 'GET', '/api/stream', { 'x-app-token': guess(n) }),
    (n: number) => rawRequest(url, 'GET', `/api/chats?authToken=${guess(n)}`),
  ];
  for (let n = 0; n < 10; n++) expect((await ways[n % 3]?.(n))?.status).toBe(401);
  for (const way of ways) {
    const reply = await way(11);
    expect([reply.status, reply.body?.error.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect((await rawRequest(url, 'GET', '/api/status', { authorization: `Bearer ${guess(12)}`, 'x-forwarded-for': '203.0.113.7' })).status).toBe(429);
  expect((await rawRequest(url, 'GET', '/api/status', { authorization: `Bearer ${token}` })).status).toBe(200);
});

async function readTree(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp')).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
}

test('no log, journal, usage record, error body or document contains the token, however it was sent', async () => {
  harness = await startHarness();
  const { home, logs, token, url, workspace } = harness;
  const auth = { authorization: `Bearer ${token}` };
  const json = { 'content-type': 'application/json' };
  const { events } = await runTurn(harness, 'hello');
  const query = `authToken=${token}`;
  const replies = [
    await rawRequest(url, 'GET', `/api/openapi.json?${query}`),
    await rawRequest(url, 'GET', `/api/usage?${query}`),
    await rawRequest(url, 'GET', `/api/status?${query}`),
    await rawRequest(url, 'GET', `/api/nothing?${query}`, auth),
    await rawRequest(url, 'GET', `/api/usage?${query}&since=never`, auth),
    await rawRequest(url, 'GET', `/api/usage?token=${token}&nonsense=1`, auth),
    await rawRequest(url, 'POST', `/api/message?${query}`, { ...auth, ...json }, '{"text":'),
    await rawRequest(url, 'POST', `/api/message?${query}`, { ...auth, ...json }, '{"odd":1}'),
    await rawRequest(url, 'POST', `/api/chats?${query}`, { ...auth, 'content-type': 'text/plain' }, 'x'),
    await rawRequest(url, 'GET', `/api/status?${query}`, { ...auth, host: 'attacker.example' }),
    await rawRequest(url, 'GET', `/api/status?${query}`, { ...auth, origin: 'https://attacker.example' }),
    await rawRequest(url, 'GET', `http://attacker.example/?${query}`, auth),
    await rawRequest(url, 'GET', `/api/settings?${query}`),
    await rawRequest(url, 'GET', `/api/plugins?${query}`),
  ];
  for (const reply of replies) expect(reply.text + JSON.stringify(reply.headers)).not.toContain(token);
  expect(JSON.stringify(events)).not.toContain(token);
  expect(logs.join('\n')).not.toContain(token);
  for (const folder of [home, workspace])
    for (const [path, text] of await readTree(folder)) expect([path, text.includes(token)]).toEqual([path, path === join(home, 'web_token')]);
});
