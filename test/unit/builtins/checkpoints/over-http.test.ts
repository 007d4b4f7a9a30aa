import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, openEventStream, runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

let harness: Harness;
const stock = ['model-chat-completions', 'files', 'shell', 'checkpoints'];
const open = async (builtins: readonly string[]): Promise<void> => {
  harness = await startHarness({ builtins, environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' } });
};
const text = (path: string): Promise<string> => readFile(join(harness.workspace, path), 'utf8');

const model = useEach(() => startScriptedModel([]));

test('runs a turn without approvals, undoes it, and includes the undo in the next turn', async () => {
  await open(stock);
  await writeFile(join(harness.workspace, 'a.txt'), 'one\n');
  model.push(
    {
      toolCalls: [
        { name: 'edit_file', args: { path: 'a.txt', edits: [{ search: 'one', replace: 'two' }] } },
        { name: 'write_file', args: { path: 'new/b.txt', content: 'b' } },
      ],
    },
    { text: 'Done.' },
    { text: 'I see.' },
    { text: 'Later.' },
  );
  const { events, turnId } = await runTurn(harness, 'Change it');
  expect(events.filter((event) => event.kind === 'tool_approval')).toEqual([]);
  expect(await text('a.txt')).toBe('two\n');

  const stream = await openEventStream(harness);
  const undone = await harness.call('POST', '/api/undo', {});
  expect(undone).toMatchObject({ status: 200, body: { ok: true, turnId, restored: ['a.txt', 'new/b.txt'], conflicts: [] } });
  expect(await stream.until('checkpoint_restored')).toMatchObject({ turnId, restored: ['a.txt', 'new/b.txt'] });
  stream.close();
  expect(await text('a.txt')).toBe('one\n');
  await expect(text('new/b.txt')).rejects.toThrow('ENOENT');

  expect(await harness.call('POST', '/api/undo', { turnId })).toMatchObject({ status: 409, body: { error: { code: 'already_resolved' } } });
  expect(await harness.call('POST', '/api/undo', {})).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(await harness.call('POST', '/api/undo', { turn: 'x' })).toMatchObject({ status: 400 });

  await runTurn(harness, 'And now?');
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('The user undid changes of an earlier turn');
  await runTurn(harness, 'Again');
  expect(JSON.stringify(model.requests[3]?.body.messages)).not.toContain('The user undid changes');
});

test.each([
  ['a question', { text: 'Because.' }, [], 'The last turn has no changes that can be undone. An earlier turn changed a.txt'],
  [
    'a call with an external effect',
    { toolCalls: [{ name: 'beep', args: {} }] },
    [{ tool: 'beep' }],
    'The last turn has no changes that can be undone. It ran beep, which cannot be undone. An earlier turn changed a.txt',
  ],
])('does not undo an earlier turn when the last turn was %s, and returns the earlier turn as an offer', async (_, reply, outside, said) => {
  const beep = {
    manifest: { name: 'beeper' },
    register: (registry: any) =>
      registry.add('tool', { name: 'beep', description: 'Beeps.', input: { type: 'object', properties: {} }, effects: ['external'], run: () => 'beeped' }),
  };
  harness = await startHarness({
    builtins: stock,
    modules: { beeper: beep as never },
    environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted', AGENT_YOLO: '1' },
  });
  model.push({ toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }] }, { text: 'Done.' });
  const { turnId: first } = await runTurn(harness, 'Write');
  model.push(reply as never, { text: 'Done.' });
  const { turnId: last } = await runTurn(harness, 'And now?');
  const offer = { turnId: first, files: ['a.txt'] };
  const undone = await harness.call('POST', '/api/undo', {});
  expect(undone).toMatchObject({ status: 200, body: { ok: false, turnId: last, restored: [], outside, previous: offer } });
  const command = await runTurn(harness, '/undo');
  const spoken = command.events.map((event) => (event.kind === 'text' ? event['delta'] : '')).join('');
  expect(spoken).toContain(said);
  expect(await text('a.txt')).toBe('x');
  // Undo by id accepts the offer. Afterwards no offer is left.
  expect(await harness.call('POST', '/api/undo', { turnId: first })).toMatchObject({ body: { ok: true, restored: ['a.txt'] } });
  expect((await harness.call('POST', '/api/undo', {})).body).not.toHaveProperty('previous');
});

test('removes the undo marker of a permanently deleted chat', async () => {
  await open(stock);
  model.push({ toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }] }, { text: 'Done.' });
  const { chatId = '' } = (await runTurn(harness, 'Write')).end;
  expect(await harness.call('POST', '/api/undo', {})).toMatchObject({ status: 200 });
  const marks = (): Promise<string[]> => readdir(join(harness.home, 'unsettled'));
  expect(await marks()).toEqual([chatId]);
  await harness.call('DELETE', `/api/chats/${chatId}`);
  expect(await harness.call('DELETE', `/api/chats/trash/${chatId}`)).toMatchObject({ status: 200 });
  expect(await marks()).toEqual([]);
});
