// Tests the source of a prompt sentence: the persona section, setting, mode, file or note that contains it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { WhyAnswer } from 'agent-harness/builtins/turn/why';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';
import { make, sliceOf } from '../persona/persona-world.ts';

const builtins = ['model-chat-completions', 'persona', 'files', 'intent', 'memory', 'recall-prime', 'origins', 'plan', 'skills', 'why'];
let harness: Harness;
const model = useEach(() => startScriptedModel(() => ({ text: 'Hm.' })));
beforeEach(async () => {
  const environment = {
    ...model.environment,
    ...{ AGENT_PERSONA_REPAIR_MAX: '0', AGENT_SESSION_MODE: 'coding', AGENT_PROTOCOL_INTENT_HINT: 'coding' },
  };
  harness = await startHarness({ builtins, environment });
});

const ask = async (query: Record<string, string>): Promise<WhyAnswer> => (await harness.call('GET', `/api/why?${new URLSearchParams(query).toString()}`)).body;
const sourcesOf = async (text: string): Promise<unknown[]> => (await ask({ text })).sources.map(({ kind, ref }) => [kind, ref]);

test('traces a persona sentence to its section and revision, and a learned line to its origin', async () => {
  await make(harness);
  const edit = async (name: string, text: string): Promise<void> => {
    const { revision } = await sliceOf(harness, name);
    expect((await harness.call('PUT', `/api/persona/slices/${name}`, { text, base: revision })).status).toBe(200);
  };
  await edit('voice', 'Like an old sailor who has seen every harbour.');
  await edit('living', '- Answers in two sentences at most. (said on 2026-11-22 in chat_X)\n- Names the tide tables.');
  await runTurn(harness, 'Hello.');
  const voice = await sourcesOf('an old sailor who has seen every harbour');
  expect(voice).toEqual([['setting', expect.stringMatching(/^the persona: How you sound \(revision \d+: .+\)$/)]]);
  expect(await sourcesOf('Answers in two sentences at most.')).toEqual([['setting', 'the persona: User preferences (said on 2026-11-22 in chat_X)']]);
  expect(await sourcesOf('Names the tide tables.')).toEqual([['setting', 'the persona: User preferences (the user wrote it)']]);
  // The surrounding text belongs to the plugin.
  expect(await sourcesOf('It describes only your tone')).toEqual([]);
  const section = (await ask({})).parts.find(({ text }) => text.startsWith('persona:'));
  expect(section?.by).toMatch(/^The plugin persona added it at the hook prompt\.build, from the setting the persona: Limits, the setting/);
});

test('names the setting or mode that added a sentence, and the right one of several skills and notes', async () => {
  const skill = async (name: string, description: string): Promise<void> => {
    const folder = join(harness.workspace, '.agents', 'skills', name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`);
  };
  await skill('knots', 'Ties the knots that sailors use on deck.');
  await skill('charts', 'Reads charts of the northern islands.');
  const trust = harness.kernel.resolve('trust');
  const finding = (await trust.rows(harness.workspace)).find((row) => row.name === 'instructions');
  await trust.decide(harness.workspace, 'instructions', finding?.digest ?? '', true);
  for (const [key, value] of [
    ['boat', 'The name of the boat is Albatross.'],
    ['pier', 'The boat lies at pier twelve, the name of which is Quartz.'],
  ])
    await harness.call('POST', '/api/memory', { type: 'fact', key, value, scope: 'global' });
  await runTurn(harness, 'Hello.');
  const [{ chatId }] = (await harness.call('GET', '/api/chats')).body.chats;
  expect((await harness.call('PATCH', `/api/chats/${chatId}`, { mode: 'plan' })).status).toBe(200);
  await runTurn(harness, 'What is the name of my boat, and at which pier?');
  expect(await sourcesOf('keep its style, run its tests and change only what was asked for')).toEqual([['setting', 'AGENT_SESSION_MODE']]);
  expect(await sourcesOf('Prefer small edits to rewriting a file')).toEqual([['setting', 'AGENT_PROTOCOL_INTENT_HINT (it says coding)']]);
  const planned = (await ask({})).parts.find(({ plugin, kind }) => plugin === 'plan' && kind === 'section');
  expect(planned?.by).toContain('from the setting the mode of this chat');
  expect((await sourcesOf('The name of the boat is Albatross.'))[0]).toEqual(['memory', 'the note fact:boat']);
  expect((await sourcesOf('The boat lies at pier twelve, the name of which is Quartz.'))[0]).toEqual(['memory', 'the note fact:pier']);
  expect(await sourcesOf('Reads charts of the northern islands.')).toEqual([['file', expect.stringContaining('charts/SKILL.md')]]);
});
