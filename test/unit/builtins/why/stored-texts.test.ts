// Tests plugins that store texts: their texts are listed with their source, and failed deletions are reported.
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, type ScriptedModel, type ScriptedToolCall, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { addTools, ownTool } from '../../plugins/agent/agent-bench.ts';

const said = 'My boat is called Albatross of the seven seas and lies at pier twelve.';
let model: ScriptedModel;
let harness: Harness;
let pinned: Map<string, string>;
let asked: string[];
/** Replaces the result of deleting a text from the board. */
let dropping: (() => boolean) | undefined;
beforeEach(async () => {
  pinned = new Map();
  asked = [];
  dropping = undefined;
  const board = {
    manifest: { name: 'board', requires: ['why', 'tools'] },
    register(registry: any) {
      addTools(
        ownTool('pin', ({ id, text }: any, { chatId, turnId, callId }: any) => {
          pinned.set(id, text);
          registry.services.why.kept({ keeper: 'board', id, text, chatId, turnId, callId });
          return 'Pinned.';
        }),
      )(registry);
      registry.add('kept_texts', {
        name: 'board',
        where: 'the pin board',
        find: async (id: string) => {
          asked.push(id);
          const text = pinned.get(id);
          return text === undefined ? undefined : { text, version: text, isPersons: false };
        },
        drop: async (id: string, version: string) => (dropping ? dropping() : pinned.get(id) === version && pinned.delete(id)),
      });
    },
  } as never;
  model = await startScriptedModel([]);
  harness = await startHarness({ builtins: ['model-chat-completions', 'origins', 'memory', 'why'], environment: model.environment, modules: { board } });
});

const messageOf = async (text: string, ...calls: readonly ScriptedToolCall[]): Promise<string> => {
  for (const call of calls) model.push({ toolCalls: [call] });
  model.push({ text: 'Done.' });
  const { events } = await runTurn(harness, text);
  return events.find(({ kind }) => kind === 'message_accepted')!['messageId'] as string;
};
const pin = (id: string, text: string): ScriptedToolCall => ({ name: 'pin', args: { id, text } });
const view = async (about: string): Promise<any> => (await harness.call('GET', `/api/views/why?${new URLSearchParams({ about }).toString()}`)).body;
const items = (shown: any): any[] => shown.blocks.find(({ title }: any) => title === 'Derived items')?.items ?? [];
const deleteAll = async (about: string): Promise<string> => {
  const { id } = (await view(about)).actions.find((action: any) => action.id.startsWith('delete-all'));
  return (await harness.call('POST', `/api/views/why/actions/${id}`, { parameters: { about } })).body.message;
};

test('lists and deletes stored texts with their source and reads none of them beforehand', async () => {
  const messageId = await messageOf(said, pin('boat', 'Albatross of the seven seas'));
  await messageOf('Now something else.', pin('other', 'Nothing that anybody said before this.'));
  expect(asked).toEqual([]);
  const about = `message ${messageId}`;
  await expect.poll(async () => items(await view(about)).map(({ text }) => text)).toEqual(['boat: Albatross of the seven seas']);
  expect(new Set(asked)).toEqual(new Set(['boat']));
  expect(await deleteAll(about)).toBe('One note of the pin board is permanently deleted.');
  expect([...pinned.keys()]).toEqual(['other']);
});

test('reports a text that was changed or could not be deleted, and deletes the rest', async () => {
  const note: ScriptedToolCall = { name: 'remember', args: { key: 'boat', value: 'Albatross of the seven seas', scope: 'workspace' } };
  const about = `message ${await messageOf(said, pin('boat', 'Albatross of the seven seas'), note)}`;
  await expect.poll(async () => items(await view(about)).length).toBe(2);
  dropping = () => {
    throw new Error('the board is locked.');
  };
  expect(await deleteAll(about)).toBe(
    'One note is deleted. You can restore them for 30 days on the page Memory. boat could not be deleted: the board is locked.',
  );
  dropping = () => false;
  expect(await deleteAll(about)).toBe('boat was not deleted: it no longer exists, or has changed.');
  expect(items(await view(about)).map(({ text }) => text)).toEqual(['boat: Albatross of the seven seas']);
});
