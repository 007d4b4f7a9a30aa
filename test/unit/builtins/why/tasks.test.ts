// Tests explanations of calls and text in a task: the task, its parent call, the user's message, the decision, and text sources.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { WhyAnswer } from 'agent-harness/builtins/turn/why';
import { type ScriptedReply, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

const builtins = ['model-chat-completions', 'checkpoints', 'files', 'memory', 'origins', 'subagents', 'why'];
const line = 'The ferry to the northern islands leaves at seven from pier twelve.';
const goal = 'Read harbour.txt, copy its first line to copy.txt, and keep it in mind.';
const model = useEach(() => startScriptedModel([]));
const harness = useEach(() => startHarness({ builtins, environment: model.environment }));
beforeEach(async () => {
  await writeFile(join(harness.workspace, 'harbour.txt'), `${line}\nTickets are sold on board.\n`);
});

const ask = async (query: Record<string, string> = {}): Promise<WhyAnswer> => {
  const { status, body } = await harness.call('GET', `/api/why?${new URLSearchParams(query).toString()}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as WhyAnswer;
};
const pending = async (): Promise<any[]> => (await harness.call('GET', '/api/pending')).body.approvals;
const forTask = (reply: ScriptedReply): ScriptedReply => ({
  ...reply,
  when: ({ body }) => body.messages.some((one: any) => one.role === 'user' && one.content === goal),
});
const forChat = (reply: ScriptedReply): ScriptedReply => ({ ...reply, when: ({ body }) => body.messages.every((one: any) => one.content !== goal) });

test("traces a task's call to its task, parent call and message, its text to the read file, and a note to its call", async () => {
  model.push(
    forChat({ toolCalls: [{ name: 'spawn_task', args: { goal } }] }),
    forTask({ text: 'I look.', toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] }),
    forTask({ text: 'I copy it.', toolCalls: [{ name: 'write_file', args: { path: 'copy.txt', content: `${line}\n` } }] }),
    forTask({ text: 'I keep it.', toolCalls: [{ name: 'remember', args: { key: 'ferry', value: line, scope: 'workspace' } }] }),
    forTask({ text: 'It is copied.' }),
    forChat({ text: 'Done.' }),
  );
  const sent = await harness.call('POST', '/api/message', { text: 'Have the first line copied.' });
  const { turnId, messageId } = sent.body;
  await expect.poll(async () => (await pending()).length).toBe(1);
  const [{ approvalId, callId: remembering }] = await pending();
  // A pending approval is reported as well.
  expect((await ask({ call: remembering })).says).toContain('It is waiting for a decision.');
  await harness.call('POST', '/api/approve', { approvalId, decision: 'approve' });
  await harness.kernel.resolve('turns').ended(turnId);

  const turn = await ask({ turn: turnId });
  const callOf = (name: string): string => turn.parts.find(({ kind, text }) => kind === 'call' && text.startsWith(name))?.asks?.call ?? '';
  const [spawning, reading, writing] = [callOf('spawn_task'), callOf('read_file'), callOf('write_file')];
  expect(turn.parts.find(({ asks }) => asks?.call === writing)?.by).toMatch(
    /^In the task “Read harbour\.txt, .*”\. No rule required an approval: the call can write, and can be undone\.$/,
  );

  const written = await ask({ call: writing });
  expect(written.title).toBe('Why the call write_file copy.txt');
  expect(written.says[0]).toMatch(new RegExp(`^The model made the call, in the task “${goal}” \\(.+\\); the tool belongs to the plugin files\\.$`));
  expect(written.parts.map(({ kind, text, by }) => [kind, text, by])).toEqual([
    ['answer', 'I copy it.', 'The task wrote it with the call.'],
    ['call', expect.stringContaining('spawn_task'), `This call started the task with the goal: “${goal}”`],
    ['message', 'Have the first line copied.', 'You sent it.'],
    ['message', 'The turn of the call', ''],
  ]);
  expect(written.parts[1]?.asks).toEqual({ call: spawning });
  expect(written.parts[2]?.asks).toEqual({ message: messageId });
  expect(written.sources).toMatchObject([{ kind: 'workspace', ref: 'harbour.txt', field: 'content', asks: { call: reading } }]);
  expect(written).not.toHaveProperty('isRead');

  expect((await ask({ call: remembering })).says).toContain('Approved by you.');
  await expect.poll(async () => (await ask({ note: 'fact:ferry' })).parts[0]?.asks?.call).toBe(remembering);
  const calls = (await ask({ call: spawning })).parts.filter(({ kind, by }) => kind === 'call' && by.startsWith('In the task'));
  expect(calls.map(({ asks }) => asks?.call)).toEqual([reading, writing, remembering]);
  // The page shows a task's text in the card of its parent call.
  expect((await ask({ call: spawning, text: 'Tickets are sold on board.' })).parts[0]).toMatchObject({ kind: 'call', asks: { call: reading } });
  expect((await ask({ call: spawning, text: 'I copy it.' })).says.at(0)).toMatch(/^It is in an answer of the model, in the task/);
});
