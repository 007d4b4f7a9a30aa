// Tests each strict server with each scene: the turn and the next message of the chat end normally.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, runTurn, type ScriptedReply, startHarness } from '../../../helpers/in-process.ts';
import { startStrict, stepsOf, type PlayedServer } from './play.ts';
import { servers } from './servers.ts';

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const done: ScriptedReply = { text: 'Done.' };
const call = (name: string, args: object | string = {}): ScriptedReply => ({ toolCalls: [{ name, args }] });
const read = (path: string): ScriptedReply => call('read_file', { path });
const madeUp = ['browser.tabs.open', 'read_file<|channel|>commentary', 'view_file" path="a.txt', '$lookup', 'x'.repeat(200), 'read file'];

describe.each(servers)('$name', (server) => {
  let model: PlayedServer;
  let harness: Harness;
  let workspace: string;

  const environment = (): Record<string, string> => ({ ...model.environment, AGENT_YOLO: '1', ...server.environment });
  beforeAll(async () => {
    model = await startStrict(server);
    workspace = await mkdtemp(join(tmpdir(), 'strict-work-'));
    await writeFile(join(workspace, 'a.txt'), 'one\n');
    await writeFile(join(workspace, 'emoji.txt'), `x${'😀'.repeat(5_000)}`);
    await writeFile(join(workspace, 'pixel.png'), pixel);
    await writeFile(join(workspace, 'cut.png'), pixel.subarray(0, 30));
    harness = await startHarness({ workspace, environment: environment() });
  });
  afterAll(async () => {
    expect(await harness.close()).toEqual([]);
    await rm(harness.home, { recursive: true, force: true });
    await rm(workspace, { recursive: true, force: true });
    await model.close();
  });

  const newChat = async (): Promise<string> => (await harness.call('POST', '/api/chats', {})).body.chatId;

  async function play(chatId: string, text: string, more: object = {}): Promise<void> {
    await say(chatId, text, more);
    await say(chatId, `Go on. ${stepsOf(done)}`);
  }

  async function say(chatId: string, text: string, more: object = {}): Promise<void> {
    const { end } = await runTurn(harness, text, { chatId, ...more });
    expect({ reason: end['reason'], error: end['error'], refused: model.refused.slice(-2).map(({ refusal }) => refusal.body) }).toMatchObject({
      reason: 'done',
    });
  }

  test('answers a text message', async () => play(await newChat(), `Hello. ${stepsOf({ text: 'Hello.' })}`));
  const saysSo = async (): Promise<void> => {
    const chatId = await newChat();
    const traces = [];
    for (const text of ['Hello.', 'Go on.']) traces.push((await runTurn(harness, `${text} ${stepsOf(done)}`, { chatId })).stream.text('trace'));
    expect(traces).toEqual([expect.stringContaining('does not accept tools at 127.0.0.1'), '']);
  };
  if (server.hasNoTools) test('the chat reports once that the model does not support tools', saysSo);
  test('completes one tool round', async () => play(await newChat(), stepsOf(read('a.txt'), done)));
  test('completes four rounds of parallel calls', async () => {
    const two: ScriptedReply = {
      toolCalls: [
        { name: 'read_file', args: { path: 'a.txt' } },
        { name: 'list_dir', args: {} },
      ],
    };
    await play(await newChat(), stepsOf(two, two, { ...two, text: 'And once more.' }, two, done));
  });
  test('completes a round with a failing call', async () => play(await newChat(), stepsOf(read('nosuch'), done)));
  test('survives made-up tool names', async () => play(await newChat(), stepsOf(...madeUp.map((name) => call(name)), done)));
  test('survives arguments that are invalid JSON or not an object', async () =>
    play(await newChat(), stepsOf(call('read_file', '{"path":'), call('read_file', '[]'), done)));
  test('accepts a complete and a truncated tool image', async () => play(await newChat(), stepsOf(read('pixel.png'), read('cut.png'), done)));
  test('accepts an image in a message', async () => {
    await play(await newChat(), `Look. ${stepsOf(done)}`, { attachments: [{ name: 'p.png', dataUrl: `data:image/png;base64,${pixel.toString('base64')}` }] });
  });
  test('survives half an emoji in a message, in arguments and in a result', async () => {
    const chatId = await newChat();
    await say(chatId, `hi \ud83d there ${stepsOf(call('read_file', '{"path":"\\ud99c a.txt"}'), read('emoji.txt'), done)}`);
    await play(chatId, stepsOf(call('read_file', { path: 'emoji.txt', offset: 1, limit: 1 }), done));
  });
  test('completes a turn with a plan', async () => {
    await play(await newChat(), stepsOf(call('update_plan', { steps: [{ text: 'Look', status: 'active' }] }), read('a.txt'), done));
  });
  test('completes a turn with a recalled note', async () => {
    await harness.call('POST', '/api/memory', { key: 'children', value: 'Ann and Ben are the names of the children', scope: 'global' });
    await play(await newChat(), `What are the names of my children? ${stepsOf(read('a.txt'), done)}`);
  });
  test('continues after an undo', async () => {
    const chatId = await newChat();
    await say(chatId, stepsOf(call('write_file', { path: `made-${chatId}.txt`, content: 'x\n' }), done));
    await harness.call('POST', '/api/undo', { chatId });
    await play(chatId, stepsOf(read('a.txt'), done));
  });
  test('continues after an aborted turn', async () => {
    const chatId = await newChat();
    model.isStrict = true;
    const sent = await harness.call('POST', '/api/message', { chatId, text: stepsOf(read('a.txt'), done) });
    await harness.call('POST', '/api/abort', { chatId });
    await harness.kernel.resolve('turns').ended(sent.body.turnId);
    await play(chatId, stepsOf(read('a.txt'), done));
  });
  test('continues after a compaction', async () => {
    const chatId = await newChat();
    for (let round = 0; round < 3; round++) await say(chatId, stepsOf(read('a.txt'), { text: `A long answer. ${'word '.repeat(2_000)}` }));
    await say(chatId, '/compact');
    await play(chatId, stepsOf(read('a.txt'), done));
  });
  test('continues after a model change and back', async () => {
    const chatId = await newChat();
    await say(chatId, stepsOf(read('a.txt'), done));
    await harness.call('PATCH', `/api/chats/${chatId}`, { model: 'another' });
    await say(chatId, stepsOf(read('a.txt'), done));
    await harness.call('PATCH', `/api/chats/${chatId}`, { model: null });
    await play(chatId, stepsOf(read('a.txt'), done));
  });
  test('continues after a restart and in a fork', async () => {
    const chatId = await newChat();
    await say(chatId, stepsOf(read('a.txt'), read('a.txt'), done));
    expect(await harness.close({ keepFiles: true })).toEqual([]);
    const before = model.refused.length;
    harness = await startHarness({ workspace, home: harness.home, environment: environment(), outlivesTest: true });
    await play(chatId, stepsOf(read('a.txt'), done));
    const fork = await harness.call('POST', `/api/chats/${chatId}/fork`, {});
    await play(fork.body.chatId, stepsOf(read('a.txt'), done));
    expect(model.refused.slice(before).map(({ refusal }) => refusal.body)).toEqual([]);
  });
  test('continues a chat recorded by a lenient server', async () => {
    const chatId = await newChat();
    model.isStrict = false;
    await say(chatId, stepsOf(read('a.txt'), call('browser.tabs.open'), done));
    model.isStrict = true;
    await play(chatId, stepsOf(read('a.txt'), done));
  });
});
