// Tests that removed entries are in no compression summary: neither earlier, later nor in progress.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, type ScriptedModel, type ScriptedRequest, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { addTools, createGate, ownTool } from '../../plugins/agent/agent-bench.ts';

const word = 'marigold';
const said = `The secret word of the harbour is ${word}, keep it in mind. `;
const filler = 'The tide tables of the harbour say little that is new. '.repeat(40);
let model: ScriptedModel;
let harness: Harness;
/** Delays summary replies until it resolves. */
let held: Promise<void> | undefined;
let calls = 0;
beforeEach(async () => {
  held = undefined;
  calls = 0;
  model = await startScriptedModel(async (request) => {
    const usage = { input: Math.round(JSON.stringify(request.body).length / 4), output: 30 };
    if (isDigest(request)) {
      await held;
      return { text: `Facts: ${tells(request) ? `the word is ${word}` : 'none'}.`, usage };
    }
    const isAsked = JSON.stringify(request.body.messages.at(-1)).includes('Look it up');
    if (isAsked) return { text: '', toolCalls: [{ id: `call_look${calls++}`, name: 'look', args: {} }], usage };
    return { text: 'Noted.', usage };
  });
  const own = {
    manifest: { name: 'own' },
    register: addTools(ownTool('look', () => said)),
  } as never;
  const builtins = ['model-chat-completions', 'artifacts', 'origins', 'memory', 'compression', 'why'];
  harness = await startHarness({
    builtins,
    modules: { own },
    environment: { ...model.environment, AGENT_CONTEXT_TOKENS: '8000', AGENT_COMPRESS_SEMANTIC: '1' },
  });
});

const isDigest = ({ body }: ScriptedRequest): boolean => JSON.stringify(body.messages[0]).includes('You summarize a conversation');
const tells = ({ body }: ScriptedRequest): boolean => JSON.stringify(body.messages).includes(word);
const say = async (text: string): Promise<readonly any[]> => (await runTurn(harness, text)).events;
const fill = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await say(`Note ${turn}. ${filler}`);
};
const view = async (about: string): Promise<any> => (await harness.call('GET', `/api/views/why?${new URLSearchParams({ about }).toString()}`)).body;
const act = async (about: string, action: string): Promise<any> => {
  const found = (await view(about)).actions.find(({ id }: { id: string }) => id.startsWith(action));
  return (await harness.call('POST', `/api/views/why/actions/${found.id}`, { parameters: { about } })).body;
};
const derivedOf = (shown: any): string[] =>
  (shown.blocks.find(({ title }: { title?: string }) => title === 'Derived items')?.items ?? []).map(({ text }: any) => text);
const compact = async (): Promise<string> => (await harness.call('POST', '/api/commands', { name: 'compact' })).body.text;
/** Returns all stored summary data. */
const storedSummaries = async (): Promise<string> => {
  const files = (await readdir(harness.home, { recursive: true })).filter((file) => file.endsWith('context.json'));
  return (await Promise.all(files.map((file) => readFile(join(harness.home, file), 'utf8')))).join('\n');
};
const messageIdOf = (events: readonly any[]): string => events.find(({ kind }) => kind === 'message_accepted').messageId;

test('deletes a summary that contains a removed message and creates the next one without it', async () => {
  const messageId = messageIdOf(await say(said));
  await fill(5);
  expect(await compact()).toMatch(/^The older part of this chat was shortened/);
  expect(await storedSummaries()).toContain(word);
  expect(derivedOf(await view(`message ${messageId}`))).toEqual(['The summary of the older part of this chat']);
  await act(`message ${messageId}`, 'take-out');
  expect(await storedSummaries()).toBe('');
  expect(derivedOf(await view(`message ${messageId}`))).toEqual([]);

  const before = model.requests.length;
  await say('What is the word?');
  await fill(3);
  expect(await compact()).toMatch(/^The older part of this chat was shortened/);
  await say('And now?');
  const later = model.requests.slice(before);
  expect(later.some(isDigest)).toBe(true);
  expect(later.filter(tells)).toEqual([]);
  expect(await storedSummaries()).not.toContain(word);
  expect(await storedSummaries()).not.toBe('');

  await act(`message ${messageId}`, 'put-back');
  await say('Which word was it?');
  expect(tells(model.requests.at(-1)!)).toBe(true);
});

test('excludes an entry removed beforehand from later summaries, also on request', async () => {
  const messageId = messageIdOf(await say(said));
  await fill(5);
  await act(`message ${messageId}`, 'take-out');
  const before = model.requests.length;
  expect(await compact()).toMatch(/^The older part of this chat was shortened/);
  expect(model.requests.slice(before).some(isDigest)).toBe(true);
  const first = await storedSummaries();
  await harness.call('GET', '/api/context');
  await say('What is the word?');
  expect(model.requests.slice(before).filter(tells)).toEqual([]);
  // The summary matches the filtered conversation, so it is not created again.
  expect(await storedSummaries()).toBe(first);
});

test('discards a summary in progress when one of its calls is removed', async () => {
  const events = await say('Look it up.');
  const callId = events.find(({ kind, name }) => kind === 'tool_start' && name === 'look').callId;
  await fill(5);
  const gate = createGate();
  held = gate.opened;
  const compacting = compact();
  await expect.poll(() => model.requests.some(isDigest)).toBe(true);
  await act(`call ${callId}`, 'take-out');
  gate.open();
  held = undefined;
  await compacting;
  expect(await storedSummaries()).not.toContain(word);
  const before = model.requests.length;
  await say('What did you find?');
  expect(model.requests.slice(before).filter(tells)).toEqual([]);
});
