// First starts of a bound account: whenever the policy comes, no call runs before it. `FIRST_STARTS=1000 npx vitest run test/builtins/team-policy/first-starts.test.ts`
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../../helpers/plane-service.ts';
import { createSigner, nowSeconds } from '../../plugins/licensing/license-kit.ts';

const starts = Number(process.env['FIRST_STARTS'] ?? 6);
const signer = createSigner();
const claims = { sub: 'ada@example.org', org: 'Acme', tier: 'team' };
let server: Server;
let url: string;
/** How the next start finds the control plane. */
let answer: { readonly delayMs: number; readonly failures: number };
let asked = 0;
let told = 0;

beforeAll(async () => {
  const effective = { blockedTools: [{ pattern: 'count_call', from: 'everybody' }], forcedApprovals: [], allowedModels: [], spendingCaps: [] };
  const signature = signer.token({ ...claims, orgName: 'Acme', role: 'member', revision: 1, policy: {}, effective, iat: nowSeconds() }, { typ: 'policy+jws' });
  server = createServer((request, response) => {
    if (request.url !== '/api/team/policy' || asked++ < answer.failures) return response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    setTimeout(() => {
      told++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ revision: 1, policy: {}, signature }));
    }, answer.delayMs);
    return response;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** A start in 50 waits longer than anybody is waited for. */
const plans = Array.from({ length: starts }, (_, at) => ({
  at,
  delayMs: at % 50 === 49 ? 8_000 : [0, 1, 5, 20, 80, 300][at % 6]!,
  failures: at % 4 === 3 ? 2 : 0,
}));

test(`of ${starts} first starts none runs a call before its policy is in force`, { timeout: starts * 10_000 + 30_000 }, async () => {
  let ran = 0;
  let refused = 0;
  const counter = {
    register: (registry: any) =>
      void registry.add('tool', {
        name: 'count_call',
        description: 'Counts.',
        input: { type: 'object', additionalProperties: false },
        effects: ['write'],
        undo: 'checkpoint',
        run: () => {
          ran++;
          return 'counted';
        },
      }),
  };
  for (const { delayMs, failures } of plans) {
    answer = { delayMs, failures };
    asked = 0;
    const service = await startService(
      { url, publicKey: signer.pem, token: signer.token(claims) },
      {
        builtins: ['hub', 'model-chat-completions', 'team-documents', 'team-policy'],
        environment: { AGENT_YOLO: '1' },
        modules: { counter: counter },
        script: [{ toolCalls: [{ name: 'count_call' }] }, { text: 'ok', always: true }],
      },
    );
    const results = (await service.say()).filter(({ kind }) => kind === 'tool_result');
    refused += results.filter(({ ok }) => !ok).length;
    await service.close();
  }
  expect({ ran, refused }).toEqual({ ran: 0, refused: starts });
  expect(told).toBeGreaterThan(0);
});
