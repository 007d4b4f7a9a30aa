import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDistribution } from '../../../../builtins/distribution/open.ts';
import { allModules, load, startHarness } from '../../../helpers/harness.ts';

const chatId = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const turnId = 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAW';
const callId = 'call_01ARZ3NDEKTSV4RRFFQ69G5FAX';
const queuedId = 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAY';

/** Creates the home of a process that crashed during a call, with a queued message. */
async function leaveCrashedHome(): Promise<{ home: string; workspace: string }> {
  const home = await mkdtemp(join(tmpdir(), 'crashed-'));
  const workspace = await mkdtemp(join(tmpdir(), 'crashed-work-'));
  const folder = join(home, 'chats', chatId);
  await mkdir(folder, { recursive: true });
  await mkdir(join(home, 'running'));
  await writeFile(join(home, 'running', chatId), '');
  const at = '2026-01-01T00:00:00.000Z';
  await writeFile(
    join(folder, 'meta.json'),
    JSON.stringify({
      chatId,
      title: 'Crashed',
      workspaceMode: 'folder',
      workspaceRoot: workspace,
      workspaceFingerprint: `path:${workspace}`,
      createdAt: at,
      updatedAt: at,
      turns: 2,
    }),
  );
  await writeFile(join(home, 'active_chat.json'), JSON.stringify({ chatId }));
  const events = [
    { id: 1, kind: 'message_accepted', chatId, turnId, messageId: 'msg_1', text: 'do it', attachments: [] },
    { id: 2, kind: 'turn_start', chatId, turnId, messageId: 'msg_1', model: 'm' },
    { id: 3, kind: 'tool_start', chatId, turnId, callId, messageId: 'msg_2', name: 'run_command', argsText: '{"command":"make"}', args: { command: 'make' } },
    { id: 4, kind: 'tool_progress', chatId, turnId, callId, note: 'tick 1\n' },
    { id: 5, kind: 'tool_progress', chatId, turnId, callId, note: 'tick 2\n' },
    { id: 6, kind: 'message_accepted', chatId, turnId: queuedId, messageId: 'msg_3', text: 'and this', attachments: [] },
  ].map((event) => JSON.stringify({ ...event, at }));
  await writeFile(join(folder, 'session.jsonl'), `${events.join('\n')}\n{"id":7,"kind":"te`);
  return { home, workspace };
}

test('a kernel without http ends interrupted turns when the app starts', async () => {
  const { home, workspace } = await leaveCrashedHome();
  const { http: _http, ui: _ui, ...platform } = await load(allModules.platform);
  const { kernel, ready } = await openDistribution(
    { name: 'app', title: 'App' },
    { environment: {}, home, startFolder: workspace, sources: [{ origin: 'platform', modules: platform }], log: () => undefined },
  );
  await ready;
  const ends = async (): Promise<unknown[]> => {
    const found = [];
    for await (const event of kernel.resolve('eventLog').read(chatId)) if (event.kind === 'turn_end') found.push([event.turnId, event['reason']]);
    return found;
  };
  const working = await kernel.control.start();
  expect(await ends()).toEqual([
    [turnId, 'interrupted'],
    [queuedId, 'interrupted'],
  ]);
  await working.dispose();
  expect(await kernel.close()).toEqual([]);
  await Promise.all([home, workspace].map((folder) => rm(folder, { recursive: true, force: true })));
});

test('after a crash each open turn and call ends once as interrupted, and a partial line is quarantined', async () => {
  const place = await leaveCrashedHome();
  for (let start = 0; start < 2; start++) {
    const harness = await startHarness(place);
    const { body } = await harness.call('GET', `/api/chats/${chatId}/transcript`);
    const entries = body.entries as any[];
    expect(entries.filter((entry) => entry.kind === 'tool')).toMatchObject([
      { callId, state: 'interrupted', ok: false, output: expect.stringMatching(/not rerun[^]*until then:\ntick 1\ntick 2\n$/) },
    ]);
    const ends = [];
    for await (const event of harness.kernel.resolve('eventLog').read(chatId)) if (event.kind === 'turn_end') ends.push([event.turnId, event['reason']]);
    expect(ends).toEqual([
      [turnId, 'interrupted'],
      [queuedId, 'interrupted'],
    ]);
    expect((await harness.call('GET', '/api/status')).body.busy).toBe(false);
    await harness.close();
  }
  await rm(place.home, { recursive: true });
  await rm(place.workspace, { recursive: true });
});
