// The conformance suite of the protocol, against this client: a server of ours connects, a person signs in with a browser, tools are called.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerQuestions, startMcp, type McpHarness } from './mcp-parts.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const common = [
  ...['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
  ...['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3', 'basic-cimd'].map((name) => `auth/${name}`),
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined', 'scope-step-up', 'scope-retry-limit'].map(
    (name) => `auth/${name}`,
  ),
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none', 'pre-registration'].map((name) => `auth/${name}`),
  ...['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback', 'resource-mismatch'].map((name) => `auth/${name}`),
  ...['offline-access-scope', 'offline-access-not-supported', 'client-credentials-jwt', 'client-credentials-basic'].map((name) => `auth/${name}`),
];
const suites = [
  { folder: 'conformance', scenarios: [...common, 'auth/cross-app-access-complete-flow'], others: [] },
  {
    folder: 'conformance-next',
    scenarios: [
      ...common,
      ...['authorization-server-migration', 'metadata-issuer-mismatch', 'enterprise-managed-authorization'].map((name) => `auth/${name}`),
      ...['supported', 'not-advertised', 'supported-missing', 'wrong-issuer', 'unexpected', 'normalized'].map((name) => `auth/iss-${name}`),
      ...['request-metadata', 'http-standard-headers', 'http-custom-headers', 'http-invalid-tool-headers'],
      ...['sep-2322-client-request-state', 'json-schema-ref-no-deref'],
    ],
    others: [
      // Schemas of other people are cleaned before anything is done with them.
      'json-schema-2020-12-preservation',
      // Extensions that this client does not offer.
      ...['auth/dpop', 'auth/dpop-nonce', 'auth/wif-jwt-bearer'],
      ...['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter'].map((name) => `sep-2640-client-${name}`),
    ],
  },
];
const server = 'conformance';
const tool = (name: string, args: object = {}): [string, object] => [`${server}_${name}`, args];
/** What a person has done with the server; without a line `test-tool` is called. */
const calls: Record<string, [string, object][]> = {
  tools_call: [tool('add_numbers', { a: 2, b: 3 })],
  'elicitation-sep1034-client-defaults': [tool('test_client_elicitation_defaults')],
  'sse-retry': [tool('test_reconnection')],
  'sep-2322-client-request-state': ['echo_state', 'unrelated', 'no_state', 'no_result_type'].map((name) => tool(`test_mrtr_${name}`)),
  'http-standard-headers': [
    ...[tool('test_headers'), tool('my-hyphenated-tool')],
    ...[['mcp_list_resources', { server }] as [string, object], ['mcp_get_prompt', { server, name: 'test_prompt' }] as [string, object]],
    ['mcp_read_resource', { server, uri: 'file:///path/to/file%20name.txt' }],
  ],
  'http-invalid-tool-headers': [
    tool('valid_tool', { region: 'here' }),
    ...['empty_header', 'space_in_name', 'colon_in_name', 'non_ascii_name', 'control_char_name'].map((name) => tool(`invalid_${name}`, { value: 'x' })),
    ...['duplicate_same_case', 'duplicate_diff_case'].map((name) => tool(`invalid_${name}`, { field1: 'x', field2: 'y' })),
    ...[tool('invalid_object_header', { data: {} }), tool('invalid_array_header', { items: [] })],
    ...[tool('invalid_null_header', { nil: null }), tool('invalid_number_header', { score: 1 })],
  ],
};

interface Context extends Record<string, unknown> {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

let mcp: McpHarness;
let control: Server;
beforeAll(async () => {
  mcp = await startMcp();
  answerQuestions(mcp, (_, options) => options.find((one) => one === 'Answer') ?? '');
  control = createServer((request, reply) => {
    void text(request)
      .then((body) => JSON.parse(body))
      .then(({ url, scenario, context }) => drive(url, scenario, context))
      .then(
        (said) => reply.end(said),
        (fault: unknown) => reply.end(String(fault)),
      );
  });
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await mcp.close();
  control.close();
});

/** The way of a person: connects, signs in where that is asked for, and uses the tools. */
async function drive(url: string, scenario: string, context: Context): Promise<string> {
  const { body } = await mcp.add({ name: server, url, ...(scenario.startsWith('auth/') ? { auth: authFor(scenario, context) } : {}) });
  let said = JSON.stringify(body);
  if (body.authorizeUrl !== undefined) said += await signIn(body.authorizeUrl);
  // The tool takes no null; what is not given has no header either.
  const given = context.toolCalls?.map((one) => tool(one.name, Object.fromEntries(Object.entries(one.arguments).filter(([, value]) => value !== null))));
  for (const [name, args] of given ?? calls[scenario] ?? [tool('test-tool'), tool('test_tool')]) said += await use(name, args);
  await mcp.call('DELETE', `/api/integrations/mcp/${server}`);
  return said;
}

async function use(name: string, args: object): Promise<string> {
  let said = '';
  if (
    !mcp.kernel
      .resolve('tools')
      .list()
      .some((row) => row.name === name)
  )
    return said;
  for (let attempt = 0; attempt < 3; attempt++) {
    const outcome = await mcp.run(name, args);
    said += `\n${JSON.stringify(outcome)}`;
    const { authorizeUrl } = ((await mcp.connection(server)) ?? {}) as { authorizeUrl?: string };
    if (outcome.ok || authorizeUrl === undefined) break;
    said += await signIn(authorizeUrl);
  }
  return said;
}

async function signIn(authorizeUrl: string): Promise<string> {
  const sent = await fetch(authorizeUrl, { redirect: 'manual' });
  const back = await fetch(sent.headers.get('location') ?? '');
  return `\n${back.status} ${await back.text()}`;
}

function authFor(scenario: string, context: Context): object {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const client = { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
  if (scenario === 'auth/client-credentials-jwt')
    return { kind: 'client_credentials', clientId, privateKey: context['private_key_pem'], algorithm: context['signing_algorithm'] };
  if (scenario === 'auth/client-credentials-basic') return { kind: 'client_credentials', ...client };
  if (context['idp_id_token'] !== undefined) {
    return {
      kind: 'cross_app',
      ...client,
      idpTokenEndpoint: context['idp_token_endpoint'],
      idpClientId: context['idp_client_id'],
      idToken: context['idp_id_token'],
    };
  }
  if (scenario === 'auth/basic-cimd') return { kind: 'oauth', clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  return { kind: 'oauth', ...(clientId === undefined ? {} : client) };
}

/** Answers what a suite says: the lines of its checks. */
function runSuite(suite: string, ...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', here('./conformance-loader.mjs'), suite, ...args], (fault, stdout, stderr) =>
      resolve({ code: fault ? 1 : 0, said: `${stdout}\n${stderr}` }),
    );
  });
}

describe.each(suites)('$folder', ({ folder, scenarios, others }) => {
  const suite = here(`../../../node_modules/@modelcontextprotocol/${folder}/dist/index.js`);
  // Without the package (`npm install` brings it) there is nothing to run.
  const isThere = existsSync(suite);

  test.skipIf(!isThere)('the suite has no other scenarios for clients', async () => {
    const { said } = await runSuite(suite, 'list', '--client');
    const listed = [...said.slice(said.indexOf('Client scenarios')).matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...scenarios, ...others].sort());
  });

  test.skipIf(!isThere).each(scenarios)('%s', { timeout: 60_000 }, async (scenario) => {
    const { port } = control.address() as { port: number };
    const command = `${process.execPath} ${here('./conformance-client.mjs')} http://127.0.0.1:${port}/`;
    const { code, said } = await runSuite(suite, 'client', '--command', command, '--scenario', scenario);
    expect(said).not.toMatch(/FAILURE|WARNING/);
    expect(code, said).toBe(0);
  });
});
