// Tests the main path: the built server with the demo model and a real folder, then with a model over HTTP.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEventStream } from '../helpers/event-stream.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';

let home: string;
let workspace: string;
const running: ServerProcess[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'walk-home-'));
  workspace = await mkdtemp(join(tmpdir(), 'walk-work-'));
  await writeFile(join(workspace, 'README.txt'), 'hello\n');
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop('SIGKILL');
  await rm(home, { recursive: true, force: true });
  await rm(workspace, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess({ home, workspace, environment });
  running.push(server);
  return server;
}

async function say(server: ServerProcess, text: string, decide?: (approval: any) => object) {
  const stream = await openEventStream(server);
  const sent = await server.call('POST', '/api/message', { text });
  expect(sent.status).toBe(202);
  const answered = new Set<string>();
  const isMine = (event: any): boolean => event.turnId === sent.body.turnId;
  for (;;) {
    const event = await stream.until(
      (one) => (one.kind === 'turn_end' && isMine(one)) || (one.kind === 'tool_approval' && isMine(one) && !answered.has(one['approvalId'])),
    );
    if (event.kind === 'turn_end') {
      stream.close();
      return { end: event, events: stream.events, text: stream.text() };
    }
    answered.add(event['approvalId']);
    expect((await server.call('GET', '/api/pending')).body.approvals).toMatchObject([{ approvalId: event['approvalId'] }]);
    const decision = await server.call('POST', '/api/approve', { approvalId: event['approvalId'], ...(decide?.(event) ?? { decision: 'reject' }) });
    expect(decision.status).toBe(200);
  }
}

test('runs tools, approvals and an undo with the demo model and restores the chat after a restart', async () => {
  const server = await start();
  const config: any = await (await fetch(`${server.url}/api/config`)).json();
  expect(config).toMatchObject({ productName: 'Agent Harness', demoModel: true, webAuthToken: server.token, activeChat: null });
  for (const file of ['web_token', 'server.json']) expect((await stat(join(home, file))).mode & 0o777).toBe(0o600);
  expect((await stat(home)).mode & 0o077).toBe(0);

  const first = await say(server, 'list the files, then write notes.md with a haiku');
  expect(first.end).toMatchObject({ reason: 'done', tools: 2 });
  expect(first.text.toLowerCase()).toContain('demo');
  expect((await readFile(join(workspace, 'notes.md'), 'utf8')).trim().split('\n').length).toBeGreaterThanOrEqual(3);

  const approved = await say(server, 'run the command touch approved.txt', (approval) => {
    expect(approval).toMatchObject({ name: 'run_command', preview: { kind: 'command', command: 'touch approved.txt', cwd: workspace } });
    return { decision: 'approve' };
  });
  expect(approved.end).toMatchObject({ reason: 'done' });
  expect(existsSync(join(workspace, 'approved.txt'))).toBe(true);

  const rejected = await say(server, 'run the command touch rejected.txt', () => ({ decision: 'reject', reason: 'not today' }));
  expect(rejected.events.find((event) => event.kind === 'tool_result')).toMatchObject({ ok: false, output: expect.stringContaining('not today') });
  expect(existsSync(join(workspace, 'rejected.txt'))).toBe(false);

  await say(server, 'run the command touch first.txt', () => ({ decision: 'edit', args: { command: 'touch second.txt' } }));
  expect((await readdir(workspace)).sort()).toEqual(['README.txt', 'approved.txt', 'notes.md', 'second.txt']);

  const undone = await server.call('POST', '/api/undo', { turnId: first.end['turnId'] });
  expect(undone).toMatchObject({ status: 200, body: { ok: true, restored: ['notes.md'], conflicts: [] } });
  expect(existsSync(join(workspace, 'notes.md'))).toBe(false);

  const { chatId, workspaceRoot } = (await server.call('GET', '/api/workspace/current')).body;
  expect(workspaceRoot).toBe(workspace);
  const before = (await server.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(await server.stop()).toBe(0);
  expect(existsSync(join(home, 'server.json'))).toBe(false);

  const again = await start();
  expect((await again.call('GET', `/api/chats/${chatId}/transcript`)).body).toEqual(before);
  expect(before.entries.filter((entry: any) => entry.kind === 'user')).toHaveLength(4);
  expect(await again.stop()).toBe(0);
});

test('rejects a second server on the same home with the reason', async () => {
  const server = await start();
  await expect(startServerProcess({ home, workspace })).rejects.toThrow(/another (server|process)|already|in use|locked/i);
  expect((await server.call('GET', '/api/status')).status).toBe(200);
  expect(await server.stop('SIGINT')).toBe(0);
});
