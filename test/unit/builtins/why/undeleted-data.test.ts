// Tests plugins that cannot delete data derived from a removed entry: they are named, and deletion can be retried.
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, type ScriptedModel, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';

const said = 'The secret word of the harbour is marigold, keep it in mind.';
let model: ScriptedModel;
let harness: Harness;
/** The error of the plugin `leaky` when it is notified of a removed entry. */
let fault: string | undefined;
let dropped: string[];
beforeEach(async () => {
  fault = 'the disk is full.';
  dropped = [];
  const leaky = {
    manifest: { name: 'leaky' },
    register: (_: unknown, emitter: any) =>
      emitter.tap('entry.removed', () => {
        if (fault !== undefined) throw new Error(fault);
      }),
  } as never;
  const tidy = {
    manifest: { name: 'tidy' },
    register: (_: unknown, emitter: any) => emitter.tap('entry.removed', ({ entryId }: any) => void dropped.push(entryId)),
  } as never;
  model = await startScriptedModel([]);
  harness = await startHarness({ builtins: ['model-chat-completions', 'origins', 'memory', 'why'], environment: model.environment, modules: { leaky, tidy } });
});

const say = async (text: string): Promise<readonly any[]> => {
  model.push({ text: 'Noted.' });
  return (await runTurn(harness, text)).events;
};
const messageIdOf = (events: readonly any[]): string => events.find(({ kind }) => kind === 'message_accepted').messageId;
const view = async (about: string): Promise<any> => (await harness.call('GET', `/api/views/why?${new URLSearchParams({ about }).toString()}`)).body;
const actionIn = (shown: any, start: string): any => shown.actions.find(({ id }: { id: string }) => id.startsWith(start));
const act = async (about: string, start: string): Promise<any> => {
  const { id } = actionIn(await view(about), start);
  const { status, body } = await harness.call('POST', `/api/views/why/actions/${id}`, { parameters: { about } });
  expect(status).toBe(200);
  return body;
};

test('names a plugin that could not delete derived data, completes the rest, and retries on request', async () => {
  const messageId = messageIdOf(await say(said));
  const about = `message ${messageId}`;
  const done = await act(about, 'take-out');
  expect(done.message).toBe(
    'The model no longer reads it. Data that the plugin leaky derived from it could not be removed: the disk is full. All other data is removed; ‘Remove remaining data’ tries again.',
  );
  expect(done.view.blocks[0].text).toContain('Data that the plugin leaky derived from it could not be removed yet.');
  expect(dropped).toEqual([messageId]);
  await say('What is the word?');
  expect(JSON.stringify(model.requests.at(-1)!.body.messages)).not.toContain('marigold');

  expect((await act(about, 'remove-left')).message).toContain('Data that the plugin leaky derived from it could not be removed: the disk is full.');
  expect((await harness.call('GET', `/api/why?message=${messageId}`)).body).toMatchObject({ isRead: false, left: ['leaky'] });
  fault = undefined;
  const again = await act(about, 'remove-left');
  expect(again.message).toBe('All derived data is removed.');
  expect(again.view.actions.map(({ label }: any) => label)).toEqual(['Restore to the conversation']);
  expect(again.view.blocks[0].text).not.toContain('leaky');
});

test('reports the failure to a client without the page as well', async () => {
  const about = `message ${messageIdOf(await say(said))}`;
  const { id } = actionIn(await view(about), 'take-out');
  const { body } = await harness.call('POST', '/api/commands', { name: 'view', args: `why about="${about}" ${id} --yes` });
  expect(body.text).toContain('Data that the plugin leaky derived from it could not be removed: the disk is full.');
});
