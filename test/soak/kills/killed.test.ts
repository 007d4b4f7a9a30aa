import { readFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess } from '../../helpers/server-process.ts';

let model: ScriptedModel;
let home: string;
let workspace: string;
beforeAll(async () => {
  const calls = [0, 1].map((n) => ({ name: 'run_command', args: { command: `sleep 0.0${n + 1}; echo ${n}` } }));
  model = await startScriptedModel(({ index }) =>
    index % 2 === 0 ? { text: ['Look', 'ing. '], toolCalls: calls, delayMs: 2 } : { text: ['All ', 'is ', 'well.'], delayMs: 3 },
  );
  home = await mkdtemp(join(tmpdir(), 'killed-'));
  workspace = await mkdtemp(join(tmpdir(), 'killed-work-'));
});
afterAll(async () => {
  await model.close();
  for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
});

const accepted = new Set<string>();

test.each([3, 12, 25, 40, 60, 90])(
  'killed %i ms after a message, a server that starts again has lost nothing it accepted and ended each turn once',
  async (ms) => {
    const options = { home, workspace, environment: { ...model.environment, AGENT_YOLO: '1' } };
    const server = await startServerProcess(options);
    const send = async (): Promise<void> => {
      const sent = await server.call('POST', '/api/message', { text: 'go', whenBusy: 'queue' });
      if (sent.status === 202) accepted.add(sent.body.turnId);
    };
    const sending = Promise.all([send(), send()]).catch(() => undefined);
    await sleep(ms);
    await server.stop('SIGKILL');
    await sending;

    const next = await startServerProcess(options);
    const { activeChat } = (await next.call('GET', '/api/config')).body;
    if (activeChat) {
      const journal = await readFile(join(home, 'chats', activeChat.chatId, 'session.jsonl'), 'utf8');
      const events = journal.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
      const of = (kind: string): string[] => events.filter((event) => event.kind === kind).map((event) => event.turnId);
      expect(of('turn_end').sort()).toEqual(of('turn_start').sort());
      expect(new Set(of('turn_end')).size).toBe(of('turn_end').length);
      for (const turnId of accepted) expect(of('turn_end')).toContain(turnId);
      const ids = events.map((event) => event.id);
      expect(ids).toEqual([...ids].sort((left, right) => left - right));
      const results = events.filter((event) => event.kind === 'tool_result').map((event) => event.callId);
      expect(results.sort()).toEqual(events.filter((event) => event.argsText !== undefined).map((event) => event.callId).sort()); // prettier-ignore
    }
    expect((await next.call('GET', '/api/status')).body.busy).toBe(false);
    expect(await readdir(join(home, 'running')).catch(() => [])).toEqual([]);
    // Its conversation is one that a provider takes.
    const sent = await next.call('POST', '/api/message', { text: 'and now?' });
    expect(sent.status).toBe(202);
    accepted.add(sent.body.turnId);
    await expect.poll(async () => (await next.call('GET', '/api/status')).body, { timeout: 30_000, interval: 5 }).toMatchObject({ busy: false });
    for (const { body } of model.requests.slice(-2)) {
      const asked = body.messages.flatMap((message: any) => (message.tool_calls ?? []).map((call: any) => call.id));
      expect(body.messages.filter((message: any) => message.role === 'tool').map((message: any) => message.tool_call_id)).toEqual(asked);
    }
    expect(await next.stop()).toBe(0);
  },
);
