import { expect, test } from 'vitest';
import { type Harness, type ScriptedModel, startScriptedModel } from '../../../helpers/in-process.ts';
import { connect, documentWith, fixture, startApi, startOpenapi, type LocalApi } from './local-api.ts';

let harness: Harness;
let model: ScriptedModel;
let api: LocalApi;

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
async function pendingApproval(): Promise<any> {
  const approvals = async (): Promise<any[]> => (await harness.call('GET', '/api/pending')).body.approvals;
  await expect.poll(async () => (await approvals()).length).toBe(1);
  return (await approvals())[0];
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

test('adds less than 2 kB for all GitHub operations, describes search results, and calls one after approval', async () => {
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
    /- github: GitHub's official OpenAPI spec \+ Octokit extension, 1223 operations\. github_find_operations finds them, github_call_operation calls them\. \(github_call_operation\(operation\), github_find_operations\(query\)\)/,
  );

  const args = { owner: 'me', repo: 'it', body: { title: 'T' } };
  model.push({ toolCalls: [{ name: 'github_call_operation', args: { operation: 'github_issues_create', arguments: args } }] }, { text: 'Done.' });
  await say('Report it', async () => {
    const approval = await pendingApproval();
    expect(approval).toMatchObject({
      name: 'github_issues_create',
      preview: { kind: 'command', command: expect.stringContaining(`POST ${api.url}/repos/me/it/issues`) },
    });
    expect(api.asked).toEqual([]);
    await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, decision: 'approve' });
  });
  expect(JSON.stringify(model.requests[3]?.body.messages)).toMatch(/- github_issues_create\(body, owner, repo\).*arguments: /);
  expect(api.asked.map(({ method, url }) => [method, url])).toEqual([['POST', '/repos/me/it/issues']]);
});

test('lists a small document by tag and runs its reads without approval', async () => {
  await start();
  await connect(harness, { spec: small, baseUrl: api.url });
  model.push({ toolCalls: [{ name: 'api_list_pets' }] }, { text: 'None.' });
  await say('Which pets?');
  expect(JSON.stringify(model.requests[0]?.body.messages[0])).toContain('- api-pets: Operations of Test. (api_add_pet(), api_list_pets())');
  expect(toolNames(1)).toEqual(expect.arrayContaining(['api_add_pet', 'api_list_pets']));
  expect(harness.kernel.resolve('tools').find('api_find_operations')).toBeUndefined();
});

test('requests approval for a read with arguments after external content was read, but not for one without', async () => {
  await start();
  const parameters = [{ name: 'q', in: 'query', schema: { type: 'string' } }];
  await connect(harness, { spec: documentWith({ '/pets': { get: { operationId: 'listPets', tags: ['pets'], parameters } } }), baseUrl: api.url });
  const listing = (args: object) => ({ toolCalls: [{ name: 'api_list_pets', args }] });
  model.push(listing({ q: 'cats' }), listing({}), listing({ q: 'the secret' }), { text: 'None.' });
  await say('Which pets?', async () => {
    const approval = await pendingApproval();
    expect(approval).toMatchObject({
      name: 'api_list_pets',
      args: { q: 'the secret' },
      reason: expect.stringMatching(/external content.*send its arguments/),
    });
    await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, decision: 'reject' });
  });
  expect(api.asked.map(({ url }) => url)).toEqual(['/pets?q=cats', '/pets']);
});

test('calls an operation by its own name and explains wrong arguments', async () => {
  await start();
  await connect(harness, { name: 'k8s', spec: many, baseUrl: api.url });
  model.push(
    { toolCalls: [{ name: 'k8s_get_node' }, { name: 'k8s_call_operation', args: { operation: 'k8s_get_pod' } }] },
    { toolCalls: [{ name: 'k8s_call_operation', args: { operation: 'k8s_post_node', arguments: { other: 1 } } }] },
    { toolCalls: [{ name: 'k8s_call_operation', args: { operation: 'list_dir', arguments: { path: '.' } } }] },
    { toolCalls: [{ name: 'k8s_call_operation', args: { operation: 'k8s_get_nod' } }] },
    { text: 'One.' },
  );
  await say('Nodes?');
  expect(api.asked.map(({ url }) => url)).toEqual(['/node', '/pod']);
  const answers = model.requests.slice(2).map(({ body }) => String(body.messages.at(-1).content));
  expect(answers[0]).toMatch(/other.*k8s_find_operations describes it in full/s);
  expect(answers[1]).toMatch(/k8s_call_operation does not call list_dir|Unknown tool/);
  expect(answers[2]).toMatch(/k8s_get_node/);
});

test('keeps the tool list of a request stable and small, and earlier messages unchanged, over many searches', async () => {
  await start();
  await connect(harness, { name: 'github', spec: fixture('github'), baseUrl: api.url });
  const queries = ['create an issue', 'merge a pull request', 'list workflow runs', 'update branch protection', 'create a deployment', 'delete a file'];
  model.push(...queries.map((query) => ({ toolCalls: [{ name: 'github_find_operations', args: { query } }] })), { text: 'Found.' });
  await say('Look around');
  const sent = model.requests.map(({ body }) => body);
  // The first call of a family adds its two tools; later calls change nothing.
  const tools = sent.slice(1).map((body) => JSON.stringify(body.tools));
  expect(new Set(tools).size).toBe(1);
  expect(tools[0]?.length).toBeLessThanOrEqual(24_000);
  for (const [index, body] of sent.entries()) {
    const before = sent[index - 1]?.messages ?? [];
    expect(JSON.stringify(body.messages.slice(1, before.length))).toBe(JSON.stringify(before.slice(1)));
  }
});

test('uses the search tools for a small document with long schemas', async () => {
  await start({ AGENT_TOOL_LAZY: '0' });
  const fields = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`field${at}`, { type: 'string', description: 'What this field is for, told at length.' }]),
  );
  const post = { requestBody: { content: { 'application/json': { schema: { type: 'object', properties: fields } } } } };
  await connect(harness, { spec: documentWith(Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`/thing${at}`, { post }]))), baseUrl: api.url });
  model.push({ text: 'Hello.' });
  await say('hi');
  expect(toolNames(0).filter((name) => name.startsWith('api_'))).toEqual(['api_call_operation', 'api_find_operations']);
  expect(JSON.stringify(model.requests[0]?.body.tools).length).toBeLessThan(24_000);
});

test('loads two thousand saved operations after startup and offers them in the first turn', async () => {
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
  const startedAt = performance.now();
  await connect(harness, { spec: documentWith(paths), baseUrl: api.url });
  const connectMs = performance.now() - startedAt;
  await harness.close({ keepFiles: true });
  harness = await startOpenapi({
    builtins: ['openapi', 'model-chat-completions'],
    environment: model.environment,
    home: harness.home,
    workspace: harness.workspace,
  });
  const row = harness.kernel.control.report().plugins.find((plugin) => plugin.name === 'openapi');
  // Loading them takes about as long as connecting.
  expect(row?.bootMs).toBeLessThan(connectMs / 4);
  model.push({ toolCalls: [{ name: 'api_get_thing1999', args: { id: 'a' } }] }, { text: 'Done.' });
  await say('Read it');
  expect(api.asked.map(({ url }) => url)).toEqual(['/things/1999/a']);
});
