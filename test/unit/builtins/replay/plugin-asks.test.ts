// What plugins ask a model within a turn is recorded with it, without secrets, and goes into no document; who looks on at models may answer for them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ModelRequest, ModelWitness } from 'agent-harness/plugins/models';
import { createPluginAnswers, fingerprintOf } from '../../../../builtins/turn/replay/plugin-answers.ts';
import { type Harness, startHarness, startScriptedModel, useEach, useFolder } from '../../../helpers/in-process.ts';

let harness: Harness;
let added: ModelWitness | undefined;

const request = (subject: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ system: `Say a ${subject}.`, messages: [{ role: 'user', text: 'Now.' }], tools: [], maxTokens: 10, purpose: subject, plugin: 'asker' },
  ...more,
});
/** Asks for a colour when an answer is about to be given, and says so. */
const asker = {
  manifest: { name: 'asker', requires: ['models'] },
  register(registry: any, emitter: any) {
    if (added) registry.add('model_witness', added);
    emitter.tap('turn.finalize', async (answer: any, { chatId, turnId, signal }: any) => {
      for (const subject of ['colour', 'fault'])
        await registry.services.models.complete(request(subject, { chatId, turnId }), { ms: 5_000, signals: [signal] }).catch(() => undefined);
      return answer;
    });
  },
};
const start = async (): Promise<void> => {
  const builtins = ['cli', 'replay', 'model-chat-completions'];
  harness = await startHarness({ home, builtins, environment: { ...model.environment, AGENT_RETRY_MAX: '0' }, modules: { asker } as never });
};

const home = useFolder('plugin-asks-home-');
const model = useEach(() => startScriptedModel());
beforeEach(async () => {
  added = undefined;
});

async function recorded(): Promise<{ readonly record: any; readonly text: string }> {
  const { chatId, turnId } = (await harness.call('POST', '/api/message', { text: 'Hello.' })).body;
  await harness.kernel.resolve('turns').ended(turnId);
  const folder = join(harness.kernel.resolve('chats').folder(chatId), 'replays');
  // While a file is written, its temporary file stands beside it.
  const files = async (): Promise<string[]> => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  await expect.poll(files).toHaveLength(1);
  const text = await readFile(join(folder, (await files())[0]!), 'utf8');
  return { record: JSON.parse(text), text };
}

test('a record has what plugins asked and were answered, faults included, with secrets masked; a saved test has nothing of it', async () => {
  model.push(
    { text: 'sk-abcdefghijklmnop1234', when: ({ body }) => JSON.stringify(body).includes('Say a colour') },
    { status: 401, when: ({ body }) => JSON.stringify(body).includes('Say a fault') },
    { text: 'Hello!' },
  );
  await start();
  const { record, text } = await recorded();
  expect(record.pluginAsks).toEqual([
    { asked: fingerprintOf(request('colour')), purpose: 'colour', plugin: 'asker', reply: expect.objectContaining({ text: '•'.repeat(23), finish: 'stop' }) },
    { asked: fingerprintOf(request('fault')), purpose: 'fault', plugin: 'asker', fault: expect.objectContaining({ code: 'MODELS_ERR_PROVIDER_AUTH' }) },
  ]);
  expect(text).not.toContain('ijklmnop1234');
  const file = join(home, 'one.turn.json');
  const printed: string[] = [];
  const output = { out: (line: string) => printed.push(line), err: (line: string) => printed.push(line), isTerminal: false, async *lines() {} };
  const code = await harness.kernel.resolve('commands').runCli(['replay', '--save-test', file], output, new AbortController().signal);
  expect({ code, printed: code === 0 ? [] : printed }).toEqual({ code: 0, printed: [] });
  expect(await readFile(file, 'utf8')).not.toContain('pluginAsks');
});

test('a witness of models sees each request, answers in the place of the provider, and is gone with its plugin', async () => {
  const seen: string[] = [];
  added = {
    name: 'parrot',
    async attend(asked, call, signal, next) {
      seen.push(asked.purpose);
      if (asked.purpose === 'chat') return next({ ...asked, maxTokens: 7 }, call, signal);
      return { text: 'Said.', toolCalls: [], finish: 'stop', usage: { input: 0, output: 0, cached: 0 }, model: 'parrot' };
    },
  };
  model.push({ text: 'Hello!', always: true });
  await start();
  const { record } = await recorded();
  expect(seen).toEqual(['chat', 'colour', 'fault']);
  expect(model.requests).toHaveLength(1);
  expect(JSON.stringify(model.requests[0]!.body)).toMatch(/"max(_completion)?_tokens":7/);
  expect(record.pluginAsks.map(({ reply }: any) => reply.model)).toEqual(['parrot', 'parrot']);
  await harness.kernel.control.setDisabled(['asker']);
  await harness.kernel.resolve('models').complete(request('other'), { ms: 5_000, signals: [] });
  expect(model.requests).toHaveLength(2);
});

test('where nothing is changed the record answers by place, too; with a change only what is the same request', () => {
  const ask = (subject: string, text: string) => ({
    ...{ asked: fingerprintOf(request(subject)), purpose: subject, plugin: 'asker' },
    reply: { text } as never,
  });
  const pluginAsks = [ask('colour', 'blue'), ask('colour', 'red'), ask('number', 'one')];
  const worded = (subject: string): ModelRequest => request(subject, { messages: [{ role: 'user', text: 'Today.' }] });
  const base = createPluginAnswers(pluginAsks);
  const texts = (answers: typeof base, ...asked: ModelRequest[]) => asked.map((one) => answers.answerTo(one)?.reply?.text);
  // The same one twice has both answers in turn, and the last one again; one that is worded otherwise today has the one of its kind.
  expect(texts(base, request('colour'), request('colour'), request('colour'), worded('number'), worded('name'))).toEqual([
    'blue',
    'red',
    'red',
    'one',
    undefined,
  ]);
  expect(base.unanswered).toEqual(['asker (name)']);
  const changed = createPluginAnswers(pluginAsks, base.known);
  expect(texts(changed, request('colour'), request('colour'), worded('number'), request('number'), worded('colour'))).toEqual([
    'blue',
    'red',
    'one',
    'one',
    undefined,
  ]);
  expect(fingerprintOf(request('a', { system: 'x ==== abcdefghijkl ==== y' }))).toBe(fingerprintOf(request('a', { system: 'x ==== mnopqrstuvwx ==== y' })));
});
