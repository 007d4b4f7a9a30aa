import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import type { Harness } from '../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { connect, documentWith, fixture, run, startApi, startOpenapi, type LocalApi } from './local-api.ts';

let harness: Harness;
let model: ScriptedModel;
let api: LocalApi;
afterEach(async () => {
  expect(await harness.close()).toEqual([]);
  await Promise.all([model?.close(), api?.close()]);
});

const start = async (environment: Record<string, string> = {}): Promise<void> => {
  model = await startScriptedModel();
  api = await startApi();
  harness = await startOpenapi({ builtins: ['openapi', 'model-chat-completions'], environment: { ...model.environment, ...environment } });
};
async function say(text: string, workedOn: (turnId: string) => Promise<unknown> = async () => undefined): Promise<void> {
  const { turnId } = (await harness.call('POST', '/api/message', { text })).body;
  await workedOn(turnId);
  expect(await harness.kernel.resolve('turns').ended(turnId)).toMatchObject({ reason: 'done' });
}
const toolNames = (index: number): string[] => (model.requests[index]?.body.tools ?? []).map((tool: any) => tool.function.name);
const nouns = ['pod', 'role', 'node', 'secret', 'volume', 'service', 'lease', 'event'];
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const many = documentWith(
  Object.fromEntries(
    nouns.flatMap((noun) => [`/${noun}`, `/${noun}/{id}`].map((path) => [path, Object.fromEntries(methods.map((method) => [method, { tags: [noun] }]))])),
  ),
);
const small = documentWith({
  '/pets': {
    get: { operationId: 'listPets', tags: ['pets'] },
    post: { operationId: 'addPet', tags: ['pets'], requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
  },
});

test('all operations of GitHub add less than 2 kB to the first request; what is found is described, and is called after a person said yes', async () => {
  await start();
  model.push({ text: 'Hello.' });
  await say('hi');
  await connect(harness, { name: 'github', spec: fixture('github'), baseUrl: api.url });
  model.push({ text: 'Hello.' }, { toolCalls: [{ name: 'github_find_operations', args: { query: 'create an issue' } }] });
  await harness.call('POST', '/api/session/reset', { mode: 'soft' });
  await say('hi');
  const bytes = (index: number): number => JSON.stringify(model.requests[index]?.body).length;
  const added = bytes(1) - bytes(0);
  expect(added).toBeGreaterThan(0);
  expect(added).toBeLessThan(2_000);
  expect(JSON.stringify(model.requests[1]?.body.messages[0])).toMatch(
    /- github: GitHub's official OpenAPI spec \+ Octokit extension, 1223 operations\. They are not listed: github_find_operations finds them\. \(github_find_operations\(query\)\)/,
  );

  model.push({ toolCalls: [{ name: 'github_issues_create', args: { owner: 'me', repo: 'it', body: { title: 'T' } } }] }, { text: 'Done.' });
  await say('Report it', async () => {
    await expect.poll(async () => (await harness.call('GET', '/api/pending')).body.approvals.length).toBe(1);
    const [approval] = (await harness.call('GET', '/api/pending')).body.approvals;
    expect(approval).toMatchObject({
      name: 'github_issues_create',
      preview: { kind: 'command', command: expect.stringContaining(`POST ${api.url}/repos/me/it/issues`) },
    });
    expect(api.asked).toEqual([]);
    await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, decision: 'approve' });
  });
  expect(toolNames(2).filter((name) => name.startsWith('github'))).toEqual([]);
  const shown = toolNames(3).filter((name) => name.startsWith('github'));
  expect(shown).toContain('github_issues_create');
  expect(shown.length).toBeLessThanOrEqual(11);
  expect(api.asked.map(({ method, url }) => [method, url])).toEqual([['POST', '/repos/me/it/issues']]);
});

test('a small document is listed by tag, and reads without asking', async () => {
  await start();
  await connect(harness, { spec: small, baseUrl: api.url });
  model.push({ toolCalls: [{ name: 'api_list_pets' }] }, { text: 'None.' });
  await say('Which pets?');
  expect(JSON.stringify(model.requests[0]?.body.messages[0])).toContain('- api-pets: Operations of Test. (api_add_pet(), api_list_pets())');
  expect(toolNames(1)).toEqual(expect.arrayContaining(['api_add_pet', 'api_list_pets']));
  expect(harness.kernel.resolve('tools').find('api_find_operations')).toBeUndefined();
});

test('an operation that was not found may be called; only it is shown then', async () => {
  await start();
  await connect(harness, { name: 'k8s', spec: many, baseUrl: api.url });
  model.push({ toolCalls: [{ name: 'k8s_get_node' }] }, { text: 'One.' });
  await say('Nodes?');
  expect(toolNames(1).filter((name) => name.startsWith('k8s'))).toEqual(['k8s_get_node']);
  expect(harness.kernel.resolve('tools').checkArgs('k8s_post_node', { other: 1 })).toMatchObject({
    ok: false,
    hint: expect.stringContaining('k8s_find_operations describes it in full'),
  });
});

test('found operations do not pile up, and a reset forgets them', async () => {
  await start({ AGENT_TOOL_LAZY: '0' });
  await connect(harness, { name: 'k8s', spec: many, baseUrl: api.url });
  const chatId = harness.kernel.resolve('storage').createId('chat');
  const shown = (): string[] =>
    harness.kernel
      .resolve('tools')
      .visible(chatId)
      .specs.map((spec) => spec.name)
      .filter((name) => name.startsWith('k8s'));
  expect(shown()).toEqual(['k8s_find_operations']);
  for (const query of nouns) await run(harness, 'k8s_find_operations', { query }, chatId);
  expect(shown()).toHaveLength(41);
  expect(shown()).toContain('k8s_get_event');
  await harness.kernel.emitter.call('session.reset', { chatId, mode: 'soft' });
  expect(shown()).toEqual(['k8s_find_operations']);
});

test('two thousand saved operations do not hold up the start, and are there for the first turn', async () => {
  await start();
  const paths = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [
      `/things/${at}/{id}`,
      {
        get: {
          operationId: `getThing${at}`,
          summary: `Reads the things of kind ${at}.`,
          tags: [`tag ${at % 50}`],
          parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }],
        },
      },
    ]),
  );
  await connect(harness, { spec: documentWith(paths), baseUrl: api.url });
  await harness.close({ keepFiles: true });
  harness = await startOpenapi({
    builtins: ['openapi', 'model-chat-completions'],
    environment: model.environment,
    home: harness.home,
    workspace: harness.workspace,
  });
  const row = harness.kernel.control.report().plugins.find((plugin) => plugin.name === 'openapi');
  expect(row?.bootMs).toBeLessThan(20);
  model.push({ toolCalls: [{ name: 'api_get_thing1999', args: { id: 'a' } }] }, { text: 'Done.' });
  await say('Read it');
  expect(api.asked.map(({ url }) => url)).toEqual(['/things/1999/a']);
  for (const folder of [harness.home, harness.workspace]) await rm(folder, { recursive: true, force: true });
});
