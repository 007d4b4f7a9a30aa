// Tests first starts of a bound account: no call runs before the policy has arrived. `FIRST_STARTS=1000 npx vitest run test/unit/builtins/team-policy/first-starts.test.ts`
import { expect, test } from 'vitest';
import { startLocalServer } from '../../../helpers/local-server.ts';
import { startService } from '../../../helpers/plane-service.ts';
import { addTools, ownTool } from '../../plugins/agent/agent-bench.ts';
import { createSigner, nowSeconds } from '../../plugins/licensing/license-kit.ts';

const starts = Number(process.env['FIRST_STARTS'] ?? 6);
const signer = createSigner();
const claims = { sub: 'ada@example.org', org: 'Acme', tier: 'team' };
/** Starts mostly wait, so some run in parallel. */
const lanes = 4;

/** Latency of the control plane and number of failures before it answers. */
interface Plan {
  readonly delayMs: number;
  readonly failures: number;
}

/** One start in 50 exceeds the wait limit, and one in 50 never reaches the control plane. */
const plans: readonly Plan[] = Array.from({ length: starts }, (_, at) => ({
  delayMs: at % 50 === 49 ? 8_000 : [0, 1, 5, 20, 80, 300][at % 6]!,
  failures: at % 50 === 24 ? Infinity : at % 4 === 3 ? 2 : 0,
}));

interface Outcome {
  refused: number;
  delivered: number;
  readonly others: unknown[];
}

async function playStart({ delayMs, failures }: Plan, outcome: Outcome): Promise<void> {
  const effective = { blockedTools: [{ pattern: 'count_call', from: 'everybody' }], forcedApprovals: [], allowedModels: [], spendingCaps: [] };
  const signature = signer.token({ ...claims, orgName: 'Acme', role: 'member', revision: 1, policy: {}, effective, iat: nowSeconds() }, { typ: 'policy+jws' });
  let asked = 0;
  let ran = 0;
  const server = await startLocalServer((request, response) => {
    if (request.url !== '/api/team/policy' || asked++ < failures) return response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    setTimeout(() => {
      outcome.delivered++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ revision: 1, policy: {}, signature }));
    }, delayMs);
    return response;
  });
  const tool = ownTool('count_call', () => `counted ${++ran}`, { effects: ['write'], undo: 'checkpoint' });
  const service = await startService(
    { url: server.url, publicKey: signer.pem, token: signer.token(claims) },
    {
      builtins: ['hub', 'model-chat-completions', 'team-documents', 'team-policy'],
      environment: { AGENT_YOLO: '1' },
      modules: { counter: { register: addTools(tool) as never } },
      script: [{ toolCalls: [{ name: 'count_call' }] }, { text: 'ok', always: true }],
    },
  );
  try {
    const events = await service.say();
    const results = events.filter(({ kind }) => kind === 'tool_result');
    if (ran === 0 && results.length === 1 && results[0]?.['ok'] === false) outcome.refused++;
    else {
      const { plugins } = (await service.call('GET', '/api/plugins')).body;
      const policy = (await service.call('GET', '/api/team/policy')).body;
      outcome.others.push({ delayMs, failures, asked, ran, policy, events, plugins: plugins.filter(({ name }: any) => /^(hub|team-|licensing)/.test(name)) });
    }
  } finally {
    await service.close();
    await server.close();
  }
}

test(`denies calls in ${starts} first starts until the policy is in force`, { timeout: starts * 10_000 + 30_000 }, async () => {
  const outcome: Outcome = { refused: 0, delivered: 0, others: [] };
  const left = plans.values();
  const lane = async (): Promise<void> => {
    for (const plan of left) await playStart(plan, outcome);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(outcome.others).toEqual([]);
  expect(outcome.refused).toBe(starts);
  expect(outcome.delivered).toBeGreaterThan(0);
});
