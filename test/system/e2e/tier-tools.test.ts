// Tests every tool unlocked by an account in real turns against a real control plane: approval, reason, transcript.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StreamEvent } from '../../helpers/event-stream.ts';
import { addMember, startPlane, type Plane } from '../../helpers/plane.ts';
import { startService, type Service, type SignedIn } from '../../helpers/plane-service.ts';
import type { ScriptedReply } from '../../helpers/scripted-model.ts';

let plane: Plane;
let olga: SignedIn;
let service: Service;
let workspace: string;
let home: string;
const replies: ScriptedReply[] = [];

beforeAll(async () => {
  plane = await startPlane();
  const { token } = await addMember(plane, { email: 'olga@example.org', role: 'owner' });
  olga = { url: plane.url, publicKey: await plane.kernel.resolve('planeKeys').publicKey(), token };
  [workspace, home] = (await Promise.all(['work', 'home'].map((name) => mkdtemp(join(tmpdir(), `tier-${name}-`))))) as [string, string];
  await mkdir(join(workspace, '.git'));
  await writeFile(join(workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(workspace, '.git', 'config'), '[remote "origin"]\n\turl = https://example.org/acme/repo.git\n');
  await start();
});
afterAll(async () => {
  await service.close({ keepFiles: true });
  await plane.close();
  await Promise.all([workspace, home].map((folder) => rm(folder, { recursive: true, force: true })));
});

async function start(): Promise<void> {
  // Automatic synchronisation is off, so that only the tool calls have effects.
  const environment = { AGENT_CLOUD_SYNC_AUTO: '0', AGENT_TEAM_MEMORY_SYNC: '0' };
  service = await startService(olga, { home, workspace, environment, script: () => replies.shift() ?? { text: 'Done.' } });
  await service.kernel.resolve('license').ready();
  await service.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: workspace });
}

interface Called {
  readonly asked: string | undefined;
  readonly shown: unknown;
  readonly entry: any;
}

async function called(name: string, args: object): Promise<Called> {
  replies.push({ toolCalls: [{ name, args }] }, { text: 'Done.' });
  const { body } = await service.call('POST', '/api/message', { text: `Call ${name}.` });
  const isOfTurn = (event: StreamEvent): boolean => event['turnId'] === body.turnId;
  await service.stream.until((event) => isOfTurn(event) && (event.kind === 'tool_approval' || event.kind === 'turn_end'));
  const approval = service.stream.events.find((event) => isOfTurn(event) && event.kind === 'tool_approval');
  if (approval) expect((await service.call('POST', '/api/approve', { approvalId: approval['approvalId'], decision: 'approve' })).status).toBe(200);
  const end = await service.stream.until((event) => isOfTurn(event) && event.kind === 'turn_end');
  expect(end).toMatchObject({ reason: 'done' });
  const { entries } = (await service.call('GET', `/api/chats/${body.chatId}/transcript`)).body;
  const entry = entries.findLast((one: any) => one.kind === 'tool' && one.turnId === body.turnId);
  expect(entry).toMatchObject({ name, args });
  return { asked: approval?.['reason'] as string | undefined, shown: approval?.['args'], entry };
}

const remember = async (key: string): Promise<unknown> =>
  service.call('POST', '/api/memory', { type: 'fact', key, value: `the value of ${key}`, scope: 'workspace' });

const calls: readonly { readonly name: string; readonly args?: object; readonly asks?: RegExp; readonly says: RegExp }[] = [
  { name: 'cloud_memory_pull', says: /global: 0 received, 0 sent\. Nothing is uploaded before the user agrees/ },
  {
    name: 'cloud_memory_push',
    asks: /uploaded to your account for the first time.*fact:build/,
    says: /git:example\.org\/acme\/repo: 0 received, 1 sent/,
  },
  { name: 'cloud_memory_sync', says: /0 received, 0 sent/ },
  { name: 'team_memory_sync', asks: /uploaded to your team for the first time.*fact:build/, says: /0 notes received from the team, 1 sent/ },
  { name: 'cloud_session_upload', asks: /This chat will be uploaded to your account/, says: /\d+ lines of this chat were stored in the account/ },
  {
    name: 'team_bus_publish',
    args: { key: 'built', envelope: { ok: true } },
    asks: /effects outside this machine/,
    says: /message 1 of git:example\.org\/acme\/repo/,
  },
  { name: 'managed_inference_status', says: /License: enterprise, active/ },
  { name: 'fleet_config_apply', says: /fleet configuration/ },
  { name: 'fleet_config_publish', args: { env: { AGENT_CRITIC: '1' } }, asks: /replaces the settings/, says: /revision 1/i },
  { name: 'org_policy_publish', args: { policy: { blockedTools: ['no_such_tool'] } }, asks: /replaces the policy/, says: /revision 1/i },
  { name: 'cloud_session_search', args: { query: 'cloud_memory_push' }, says: /line \d+/ },
  { name: 'cloud_session_fetch', args: { sessionId: 'CHAT', count: 2 }, says: /^0: / },
  { name: 'team_bus_poll', says: /olga@example\.org · built: \{"ok":true\}/ },
  { name: 'team_list_members', says: /olga@example\.org/ },
  { name: 'enterprise_sso_status', says: /single sign-on|enabled|issuer/i },
  { name: 'enterprise_self_host_status', says: /version/i },
];

test('asks before each irreversible call and records arguments and result in the transcript', { timeout: 60_000 }, async () => {
  await remember('build');
  const { activeChatId } = (await service.call('GET', '/api/chats')).body;
  for (const { name, args = {}, asks, says } of calls) {
    const given = JSON.parse(JSON.stringify(args).replace('CHAT', activeChatId)) as object;
    const { asked, shown, entry } = await called(name, given);
    expect([name, asked ?? 'not asked']).toEqual([name, asks === undefined ? 'not asked' : expect.stringMatching(asks)]);
    if (asks !== undefined) expect([name, shown]).toEqual([name, given]);
    expect([name, entry.ok, entry.output]).toEqual([name, true, expect.stringMatching(says)]);
  }
});

test('remembers a consent across chats and restarts, but asks again for each publication and after a stop', { timeout: 60_000 }, async () => {
  const again = ['cloud_memory_push', 'cloud_memory_sync', 'team_memory_sync'];
  for (const round of ['another chat', 'a restart']) {
    if (round === 'a restart') {
      await service.close({ keepFiles: true });
      await start();
    } else {
      await service.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: workspace });
    }
    for (const name of again) {
      await remember(`${name} after ${round}`);
      const { asked, entry } = await called(name, {});
      expect([round, name, asked, entry.ok]).toEqual([round, name, undefined, true]);
    }
    expect((await called('team_bus_publish', { key: 'built', envelope: round })).asked).toMatch(/effects outside this machine/);
    expect((await called('fleet_config_publish', { env: {} })).asked).toMatch(/replaces the settings/);
  }
  expect((await called('cloud_session_upload', {})).asked).toMatch(/This chat will be uploaded to your account/);
  expect((await service.call('PUT', '/api/settings', { harness: { env: { AGENT_SESSION_HISTORY_CLOUD: '1' } } })).status).toBe(200);
  expect((await called('cloud_session_upload', {})).asked).toBe(undefined);
  const { activeChatId } = (await service.call('GET', '/api/chats')).body;
  expect((await service.call('POST', '/api/sync/stop', { target: 'team', chatId: activeChatId })).body).toEqual({ ok: true });
  await remember('after the stop');
  expect((await called('team_memory_sync', {})).asked).toMatch(/for the first time/);
});
