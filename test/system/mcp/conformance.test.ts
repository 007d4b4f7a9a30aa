// Tests this MCP client with the conformance suite of the protocol: connection, sign-in, tool calls.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerQuestions, startMcp, type McpHarness } from '../../unit/builtins/mcp/mcp-parts.ts';

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
      ...['sep-2322-client-request-state', 'json-schema-ref-no-deref', 'json-schema-2020-12-preservation'],
    ],
    others: [
      // Extensions that this client does not support.
      ...['auth/dpop', 'auth/dpop-nonce', 'auth/wif-jwt-bearer'],
      ...['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter'].map((name) => `sep-2640-client-${name}`),
    ],
  },
];
type Call = readonly [tool: string, args: object];
const callOf = (server: string, name: string, args: object = {}): Call => [`${server}_${name}`, args];
/** Tool calls per scenario. The default is `test-tool`. */
const calls: Record<string, (server: string) => readonly Call[]> = {
  tools_call: (server) => [callOf(server, 'add_numbers', { a: 2, b: 3 })],
  'elicitation-sep1034-client-defaults': (server) => [callOf(server, 'test_client_elicitation_defaults')],
  'json-schema-2020-12-preservation': (server) => [
    callOf(server, 'json_schema_echo', { schema: mcp.kernel.resolve('tools').find(`${server}_json_schema_2020_12_tool`)?.input }),
  ],
  'sse-retry': (server) => [callOf(server, 'test_reconnection')],
  'sep-2322-client-request-state': (server) => ['echo_state', 'unrelated', 'no_state', 'no_result_type'].map((name) => callOf(server, `test_mrtr_${name}`)),
  'http-standard-headers': (server) => [
    ...[callOf(server, 'test_headers'), callOf(server, 'my-hyphenated-tool')],
    ...[['mcp_list_resources', { server }] as const, ['mcp_get_prompt', { server, name: 'test_prompt' }] as const],
    ['mcp_read_resource', { server, uri: 'file:///path/to/file%20name.txt' }],
  ],
  'http-invalid-tool-headers': (server) => [
    callOf(server, 'valid_tool', { region: 'here' }),
    ...['empty_header', 'space_in_name', 'colon_in_name', 'non_ascii_name', 'control_char_name'].map((name) =>
      callOf(server, `invalid_${name}`, { value: 'x' }),
    ),
    ...['duplicate_same_case', 'duplicate_diff_case'].map((name) => callOf(server, `invalid_${name}`, { field1: 'x', field2: 'y' })),
    ...[callOf(server, 'invalid_object_header', { data: {} }), callOf(server, 'invalid_array_header', { items: [] })],
    ...[callOf(server, 'invalid_null_header', { nil: null }), callOf(server, 'invalid_number_header', { score: 1 })],
  ],
};

interface Context extends Record<string, unknown> {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

let mcp: McpHarness;
let control: Server;
/** A suite runs its scenarios concurrently, so each gets a server name of its own. */
let started = 0;
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

async function drive(url: string, scenario: string, context: Context): Promise<string> {
  if (suites.some(({ others }) => (others as readonly string[]).includes(scenario))) return 'not offered';
  const server = `conformance${started++}`;
  const { body } = await mcp.add({ name: server, url, ...(scenario.startsWith('auth/') ? { auth: authFor(scenario, context) } : {}) });
  let said = JSON.stringify(body);
  if (body.authorizeUrl !== undefined) said += await signIn(body.authorizeUrl);
  // The tool accepts no null. A missing argument has no header.
  const given = context.toolCalls?.map((one) =>
    callOf(server, one.name, Object.fromEntries(Object.entries(one.arguments).filter(([, value]) => value !== null))),
  );
  const wanted = given ?? calls[scenario]?.(server) ?? [callOf(server, 'test-tool'), callOf(server, 'test_tool')];
  for (const [name, args] of wanted) said += await use(server, name, args);
  await mcp.call('DELETE', `/api/integrations/mcp/${server}`);
  return said;
}

async function use(server: string, name: string, args: object): Promise<string> {
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

function runSuite(suite: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    // The exit code also reflects unsupported scenarios.
    execFile(process.execPath, ['--import', here('./conformance-loader.mjs'), suite, ...args], { maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      resolve(`${stdout}\n${stderr}`),
    );
  });
}

describe.each(suites)('$folder', ({ folder, scenarios, others }) => {
  const suite = here(`../../../node_modules/@modelcontextprotocol/${folder}/dist/index.js`);
  // Skips the suite if its package is not installed.
  const isThere = existsSync(suite);
  let said = '';
  let again: Promise<string> | undefined;

  function play(): Promise<string> {
    const { port } = control.address() as { port: number };
    const command = `${process.execPath} ${here('./conformance-client.mjs')} http://127.0.0.1:${port}/`;
    return runSuite(suite, 'client', '--command', command, '--suite', 'all', '--timeout', '100000', '--verbose');
  }

  beforeAll(async () => {
    if (isThere) said = await play();
  }, 150_000);

  test.skipIf(!isThere)('lists exactly the known client scenarios', () => {
    const listed = [...said.matchAll(/^[✓✗] (\S+): /gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...scenarios, ...others].sort());
  });

  test.skipIf(!isThere).for(scenarios)('%s', { timeout: 150_000 }, async (scenario, { task }) => {
    // All scenarios run at once, so a retry runs the whole suite again.
    if (task.result?.retryCount) said = await (again ??= play());
    const lines = said.slice(said.indexOf('=== SUITE SUMMARY ===')).split('\n');
    const at = lines.findIndex((line) => line.startsWith(`✓ ${scenario}: `) || line.startsWith(`✗ ${scenario}: `));
    const failed = lines.slice(at + 1);
    const checks = failed.slice(
      0,
      failed.findIndex((line) => !line.startsWith('    - ')),
    );
    expect(lines[at], checks.join('\n')).toMatch(/^✓ \S+: [1-9]\d* passed, 0 failed$/);
  });
});
