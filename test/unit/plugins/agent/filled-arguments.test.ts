// Tests that a call has the same arguments when shown, approved, stored and executed, and that a server stop is not attributed to the user.
import { expect, test } from 'vitest';
import { useAgentBench } from './agent-bench.ts';

const open = useAgentBench();
const input = { type: 'object', properties: { to: { type: 'string' }, bcc: { type: 'string', default: 'archive@example.org' } }, required: ['to'] };

const sender = (sent: unknown[]) => (registry: any) =>
  registry.add('tool', { name: 'send', description: 'Sends.', effects: ['external'], input, run: (args: unknown) => (sent.push(args), 'sent') });

test('defaults appear in the call start, the approval, the transcript and the executed arguments', async () => {
  const sent: unknown[] = [];
  const bench = await open(sender(sent));
  bench.model.push({ toolCalls: [{ name: 'send', args: { to: 'ann' } }] }, { text: 'done' });
  const { turnId, chatId } = (await bench.send('go')).body;
  const filled = { to: 'ann', bcc: 'archive@example.org' };
  const approval = await bench.stream.until('tool_approval');
  expect(approval['args']).toEqual(filled);
  expect(bench.stream.events.find(({ kind, args }) => kind === 'tool_start' && args !== undefined)).toMatchObject({ args: filled });
  await bench.call('POST', '/api/approve', { approvalId: approval['approvalId'], decision: 'approve' });
  await bench.ended(turnId);
  expect(sent).toEqual([filled]);
  const { entries } = (await bench.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries.find(({ kind }: any) => kind === 'tool')).toMatchObject({ args: filled });
});

test('an argument that the user removed is not filled in again', async () => {
  const sent: unknown[] = [];
  const bench = await open(sender(sent));
  bench.model.push({ toolCalls: [{ name: 'send', args: { to: 'ann' } }] }, { text: 'done' });
  const { turnId } = (await bench.send('go')).body;
  const { approvalId } = await bench.stream.until('tool_approval');
  await bench.call('POST', '/api/approve', { approvalId, decision: 'edit', args: { to: 'bob' } });
  await bench.ended(turnId);
  expect(sent).toEqual([{ to: 'bob' }]);
});

test('an approval without a limit does not expire, and a server stop interrupts its turn', async () => {
  const bench = await open(sender([]), { environment: { AGENT_APPROVAL_TIMEOUT_MS: '0' } });
  bench.model.push({ toolCalls: [{ name: 'send', args: { to: 'ann' } }] });
  await bench.send('go');
  expect(await bench.stream.until('tool_approval')).not.toHaveProperty('expiresAt');
  const ends: unknown[] = [];
  bench.kernel.emitter.on('turn_end', ({ reason }) => ends.push(reason));
  await bench.close();
  expect(ends).toEqual(['interrupted']); // The reason is AGENT_ERR_SERVER_ENDING rather than `aborted`.
});
