// Tests deletion of a built-in plugin's data once it is disabled or not included; per-chat data is deleted with its chat.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach, useFolder } from '../../../helpers/in-process.ts';

const builtins = ['model-chat-completions', 'files', 'memory', 'origins', 'why', 'plugin-life'];
let harness: Harness;
const start = async (names: readonly string[]): Promise<void> => {
  harness = await startHarness({ builtins: names, home, environment: model.environment });
};
const model = useEach(() => startScriptedModel([]));
const home = useFolder('data-left-');
beforeEach(async () => {
  await start(builtins);
});

const filesOf = async (folder: string): Promise<string[]> => (await readdir(join(home, folder), { recursive: true }).catch(() => [])).map(String).sort();
const removeData = (name: string): ReturnType<Harness['call']> => harness.call('DELETE', `/api/plugins/${name}?withData=true`);

async function live(): Promise<string> {
  model.push(
    { toolCalls: [{ name: 'remember', args: { type: 'fact', key: 'boat', value: 'The boat is called Albatross.' } }] },
    { text: 'Noted.', usage: { input: 10, output: 2 } },
  );
  await runTurn(harness, 'Remember: The boat is called Albatross.');
  const { activeChatId } = (await harness.call('GET', '/api/chats')).body;
  await expect.poll(() => filesOf('plugin-data')).toEqual(['why', 'why/derived-notes.json']);
  await expect.poll(() => filesOf(`chats/${activeChatId}`)).toContain('provenance.jsonl');
  return activeChatId;
}

test('deletes the data of a disabled plugin but not of an active one, and per-chat data with the chat', async () => {
  const chatId = await live();
  expect(await removeData('why')).toMatchObject({ status: 409, body: { error: { code: 'at_work', message: expect.stringContaining('Disable it first') } } });
  expect(await filesOf('plugin-data/why')).toEqual(['derived-notes.json']);

  expect(await harness.call('PUT', '/api/plugins/why', { disabled: true })).toMatchObject({ status: 200 });
  expect(await harness.call('DELETE', '/api/plugins/why')).toMatchObject({ status: 404 });
  expect(await removeData('why')).toMatchObject({ status: 200, body: { gone: [join(home, 'plugin-data/why')] } });
  expect(await readdir(join(home, 'plugin-data'))).not.toContain('why');
  expect(await removeData('why')).toMatchObject({ status: 404 });

  for (const path of [`/api/chats/${chatId}`, `/api/chats/trash/${chatId}`]) expect(await harness.call('DELETE', path)).toMatchObject({ status: 200 });
  expect((await filesOf('chats')).filter((path) => path.includes(chatId))).toEqual([]);
});

test('deletes the data of a plugin that is not in the distribution', async () => {
  await live();
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  await start(builtins.filter((name) => name !== 'why'));
  expect(await removeData('why')).toMatchObject({ status: 200, body: { gone: [join(home, 'plugin-data/why')] } });
  expect(await readdir(join(home, 'plugin-data'))).not.toContain('why');
});
