// The conformance suite of the protocol, against this client: a server of ours connects, a person signs in with a browser, tools are called.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerQuestions, startMcp, type McpHarness } from './mcp-parts.ts';

const suite = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const isThere = existsSync(suite);

const scenarios = [
  ...['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
  ...['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3', 'basic-cimd'].map((name) => `auth/${name}`),
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined', 'scope-step-up', 'scope-retry-limit'].map(
    (name) => `auth/${name}`,
  ),
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none', 'pre-registration'].map((name) => `auth/${name}`),
  ...['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback', 'resource-mismatch'].map((name) => `auth/${name}`),
  ...['offline-access-scope', 'offline-access-not-supported', 'client-credentials-jwt', 'client-credentials-basic', 'cross-app-access-complete-flow'].map(
    (name) => `auth/${name}`,
  ),
];
const calls: Record<string, [string, object]> = {
  tools_call: ['add_numbers', { a: 2, b: 3 }],
  'elicitation-sep1034-client-defaults': ['test_client_elicitation_defaults', {}],
  'sse-retry': ['test_reconnection', {}],
};

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

/** The way of a person: connects, signs in where that is asked for, and uses a tool. */
async function drive(url: string, scenario: string, context: Record<string, string>): Promise<string> {
  const name = 'conformance';
  const { body } = await mcp.add({ name, url, ...(scenario.startsWith('auth/') ? { auth: authFor(scenario, context) } : {}) });
  let said = JSON.stringify(body);
  if (body.authorizeUrl !== undefined) said += await signIn(body.authorizeUrl);
  const [tool = 'test-tool', args = {}] = calls[scenario] ?? [];
  const known = mcp.toolsOf(name).find((one) => one === `${name}_${tool}` || one === `${name}_${tool.replaceAll('-', '_')}`);
  for (let attempt = 0; attempt < 3 && known !== undefined; attempt++) {
    const outcome = await mcp.run(known, args);
    said += `\n${JSON.stringify(outcome)}`;
    const { authorizeUrl } = ((await mcp.connection(name)) ?? {}) as { authorizeUrl?: string };
    if (outcome.ok || authorizeUrl === undefined) break;
    said += await signIn(authorizeUrl);
  }
  await mcp.call('DELETE', `/api/integrations/mcp/${name}`);
  return said;
}

async function signIn(authorizeUrl: string): Promise<string> {
  const sent = await fetch(authorizeUrl, { redirect: 'manual' });
  const back = await fetch(sent.headers.get('location') ?? '');
  return `\n${back.status} ${await back.text()}`;
}

function authFor(scenario: string, context: Record<string, string>): object {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const client = { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
  if (scenario === 'auth/client-credentials-jwt')
    return { kind: 'client_credentials', clientId, privateKey: context['private_key_pem'], algorithm: context['signing_algorithm'] };
  if (scenario === 'auth/client-credentials-basic') return { kind: 'client_credentials', ...client };
  if (scenario === 'auth/cross-app-access-complete-flow') {
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

/** Answers what the suite says: the lines of its checks. */
function runSuite(scenario: string): Promise<{ readonly code: number; readonly said: string }> {
  const { port } = control.address() as { port: number };
  const command = `${process.execPath} ${here('./conformance-client.mjs')} http://127.0.0.1:${port}/`;
  const args = ['--import', here('./conformance-loader.mjs'), suite, 'client', '--command', command, '--scenario', scenario];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (fault, stdout, stderr) => resolve({ code: fault ? 1 : 0, said: `${stdout}\n${stderr}` }));
  });
}

test.skipIf(!isThere)('the suite has no other scenarios for clients', async () => {
  const said = await new Promise<string>((resolve) =>
    execFile(process.execPath, ['--import', here('./conformance-loader.mjs'), suite, 'list', '--client'], (_, stdout) => resolve(stdout)),
  );
  expect([...said.slice(said.indexOf('Client scenarios')).matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name).sort()).toEqual([...scenarios].sort());
});

// Without the package (`npm install` brings it) there is nothing to run.
test.skipIf(!isThere).each(scenarios)('%s', { timeout: 60_000 }, async (scenario) => {
  const { code, said } = await runSuite(scenario);
  expect(said).not.toMatch(/FAILURE|WARNING/);
  expect(code, said).toBe(0);
});
