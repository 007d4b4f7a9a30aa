// Fills a control plane with an organisation: members of every role, spending, notes, messages, rules, stored sessions.
import { sha256 } from '#lib/hash';
import type { Plane } from '../../helpers/plane.ts';
import type { ScriptedReply, ScriptedRequest } from '../../helpers/scripted-model.ts';
import { setUpToken, signUp, type Account } from './plane-accounts.ts';

export interface FilledPlane {
  readonly owner: Account;
  readonly admin: Account;
  readonly member: Account;
  readonly viewer: Account;
}

export const people = {
  owner: 'ann@example.org',
  admin: 'ada@example.org',
  member: 'a.member.with.a.very.long.name.indeed@a-subsidiary-of-the-company.example.org',
  viewer: 'vic@example.org',
} as const;

export const workspace = '3f9c2a71d5e84b06';

const prices = {
  'openai/gpt-5.2': { inputPerMillion: 1.75, cachedPerMillion: 0.175, outputPerMillion: 14 },
  'anthropic/claude-sonnet-4.6': { inputPerMillion: 3, cachedPerMillion: 0.3, outputPerMillion: 15 },
};
const calls: readonly { readonly who: 'owner' | 'member'; readonly model: keyof typeof prices; readonly purpose: string }[] = [
  { who: 'owner', model: 'openai/gpt-5.2', purpose: 'chat' },
  { who: 'owner', model: 'openai/gpt-5.2', purpose: 'memory' },
  { who: 'member', model: 'anthropic/claude-sonnet-4.6', purpose: 'chat' },
  { who: 'member', model: 'anthropic/claude-sonnet-4.6', purpose: 'task' },
  { who: 'member', model: 'openai/gpt-5.2', purpose: 'dream' },
];

/** Replies of the provider of {@link fillPlane}, with usage that results in visible costs. */
export const answerOfProvider = (request: ScriptedRequest): ScriptedReply => ({
  text: 'Done.',
  usage: String(request.body.model).startsWith('anthropic/') ? { input: 31_240, output: 3_120 } : { input: 28_210, cached: 12_000, output: 2_950 },
});

/** Uses only public routes, except for prices and licenses. */
export async function fillPlane(plane: Plane): Promise<FilledPlane> {
  const must = async (...call: Parameters<Plane['call']>): Promise<any> => {
    const { status, body } = await plane.call(...call);
    if (status >= 300) throw new Error(`${call[0]} ${call[1]} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const owner = await signUp(plane, { email: people.owner, orgName: 'Acme Research and Development International', setup: await setUpToken(plane) });
  const { cookie, orgId } = owner;
  const invite = async (role: Exclude<keyof FilledPlane, 'owner'>): Promise<Account> => {
    const { link } = await must('POST', `/api/orgs/${orgId}/invites`, { cookie, body: { role, email: people[role] } });
    return signUp(plane, { email: people[role], invite: new URL(link as string).searchParams.get('invite') ?? '' });
  };
  const [admin, member, viewer] = [await invite('admin'), await invite('member'), await invite('viewer')];
  const filled = { owner, admin, member, viewer };
  await must('POST', `/api/orgs/${orgId}/invites`, { cookie, body: { role: 'admin' } });
  await must('POST', `/api/orgs/${orgId}/invites`, { cookie, body: { role: 'member', email: 'new@example.org' } });

  await spend();
  await write();
  await rule();
  await must('PUT', '/api/connectors/github', { cookie, body: { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: 'kept sealed' } });
  return filled;

  async function spend(): Promise<void> {
    await must('PUT', `/api/orgs/${orgId}/plan`, { cookie, body: { tier: 'enterprise', seats: 25, walletCap: 0.6 } });
    for (const [model, price] of Object.entries(prices))
      await plane.kernel
        .resolve('database')
        .query(`insert into inference_price (model, valid_from, price) values ($1, now() - interval '1 day', $2)`, [model, JSON.stringify(price)]);
    for (const { who, model, purpose } of calls) {
      const license = await plane.kernel.resolve('planeLicenses').issue({ orgId, userId: filled[who].userId });
      const { token } = await must('POST', '/api/inference/session', { token: license.token, body: {} });
      await must('POST', '/api/inference/v1/chat/completions', {
        token,
        headers: { 'x-hub-purpose': purpose },
        body: { model, messages: [{ role: 'user', content: 'Go on with what we said. '.repeat(5_000) }], max_tokens: 4_000 },
      });
    }
    await must('PUT', `/api/inference/wallet/members/${member.userId}`, { cookie, body: { capMicro: 400_000 } });
  }

  async function write(): Promise<void> {
    const note = (key: string, value: string, day: number): object => ({
      ...{ key, value, updatedAt: `2026-11-${day}T10:00:00.000Z`, source: { kind: 'user', ref: 'chat_1' } },
    });
    const put = (who: Account, place: string, mutationId: number, base: number, upserts: readonly object[]): Promise<any> =>
      must('PUT', `/api/team/memory/notes?workspace=${place}`, {
        cookie: who.cookie,
        body: { clientId: `of-${who.userId}`, mutationId, base, upserts, tombstones: [] },
      });
    const release = 'Releases are on Tuesdays.\n'.repeat(12);
    const { revision } = await put(owner, 'global', 1, 0, [note('fact:office', 'The office is in Graz.', 20), note('fact:release', release, 20)]);
    await put(member, 'global', 1, revision as number, [note('fact:office', 'The office has moved to Wien.', 21)]);
    await put(member, workspace, 2, 0, [note('rule:tests', 'Run `npm test` before every commit.', 19)]);

    const publish = (place: string, key: string, envelope: unknown, mutationId: number): Promise<any> =>
      must('POST', '/api/team/bus/publish', { cookie: member.cookie, body: { workspace: place, key, envelope, clientId: 'desk', mutationId } });
    await publish('global', 'build', { text: 'The build is green.', commit: 'a1b2c3d' }, 1);
    await publish('global', 'deploy', 'Deploying to staging.', 2);
    await publish(workspace, 'review', { text: 'Please look at the parser before noon.', files: ['src/parse.ts', 'src/lex.ts'] }, 3);

    const lines = [
      { type: 'user_message', at: '2026-11-20T09:12:04.000Z', text: 'Why does the import of stations fail?' },
      { type: 'tool_call', at: '2026-11-20T09:12:09.000Z', name: 'read_file', args: { path: 'src/stations.ts' } },
      { type: 'assistant_message', at: '2026-11-20T09:12:31.000Z', text: 'Because the file has a byte order mark, which the parser takes for a column.' },
    ].map((line) => JSON.stringify(line));
    await must('POST', '/api/pro/session_history', {
      cookie,
      body: { sessionId: 'chat_01JD3M9V2K', seq: 0, lines, sha256: sha256(lines.join('\n')) },
    });
    const events = ['tool_called', 'approval_answered', 'turn_ended'].map((kind, at) => ({
      ...{ id: `event-${at}`, kind, at: `2026-11-20T09:12:1${at}.000Z`, chatId: 'chat_01JD3M9V2K' },
      metrics: kind === 'tool_called' ? { tool: 'run_command', ok: true, ms: 1_240 } : { turns: 1 },
    }));
    await must('POST', '/api/team/audit/events', { cookie: member.cookie, body: { events } });
  }

  async function rule(): Promise<void> {
    const policies = [
      { blockedTools: ['run_command'] },
      {
        blockedTools: ['run_command', 'web_fetch'],
        allowedModels: ['openai/*', 'anthropic/*'],
        spendingCaps: { perDay: 20, purposes: { dream: 2 } },
        groups: [{ name: 'Interns', match: { roles: ['viewer'] }, forcedApprovals: ['write_file'], spendingCaps: { perDay: 5 } }],
      },
    ];
    for (const [base, policy] of policies.entries()) await must('PUT', '/api/team/policy', { cookie, body: { base, policy } });
    const config = { harness: { env: { AGENT_MODEL: 'openai/gpt-5.2', AGENT_APPROVAL_TIMEOUT_MS: '600000' } } };
    await must('PUT', '/api/team/fleet/config', { cookie, body: { base: 0, config } });
  }
}
