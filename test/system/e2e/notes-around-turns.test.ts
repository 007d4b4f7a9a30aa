// Tests synchronised notes around turns: receive before, send after, also while the control plane is unreachable.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { syncBuiltins } from '../../unit/builtins/notes-sync/sync-kit.ts';
import { addMember, startPlane } from '../../helpers/plane.ts';
import { startService, type Service } from '../../helpers/plane-service.ts';
import type { ScriptedReply } from '../../helpers/scripted-model.ts';
import { useAll } from '../../helpers/use-opened.ts';

const folders: string[] = [];
const plane = useAll(() => startPlane());
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

interface Wire {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}
async function wireTo(url: string): Promise<Wire> {
  const { host } = new URL(url);
  const make = (): Server =>
    createServer((asked, reply) => {
      const onward = request(url + (asked.url ?? ''), { method: asked.method, headers: { ...asked.headers, host } }, (answer) => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(reply);
      });
      onward.on('error', () => reply.destroy());
      reply.on('close', () => onward.destroy());
      asked.pipe(onward);
    });
  let server = make();
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(async () => void (server.listening && (await cut())));
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    async mend() {
      server = make();
      await listen(port);
    },
  };
}

interface Person extends Service {
  readonly wire: Wire;
  turn(...replies: ScriptedReply[]): Promise<any[]>;
  notes(): Promise<string[]>;
  state(): Promise<any>;
}

let orgs = 0;
const newOrg = (): string => `Org ${orgs++}`;
async function open(email: string, org: string): Promise<Person> {
  const { token } = await addMember(plane, { email, role: 'member', org, tier: 'team' });
  const workspace = await mkdtemp(join(tmpdir(), 'turns-work-'));
  folders.push(workspace);
  await mkdir(join(workspace, '.git'));
  await writeFile(join(workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(workspace, '.git', 'config'), '[remote "origin"]\n\turl = https://example.org/acme/repo.git\n');
  const wire = await wireTo(plane.url);
  const replies: ScriptedReply[] = [];
  const service = await startService(
    { url: wire.url, publicKey: await plane.kernel.resolve('planeKeys').publicKey(), token },
    {
      ...{ workspace, builtins: syncBuiltins, script: () => replies.shift() ?? { text: 'Done.' } },
      // Synchronisation is enabled in advance, so no approval is needed.
      environment: { AGENT_TEAM_MEMORY_SYNC: '1', AGENT_CLOUD_SYNC_AUTO: '0' },
    },
  );
  onTestFinished(async () => expect(await service.close()).toEqual([]));
  await service.kernel.resolve('license').ready();
  const { chatId } = (await service.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: workspace })).body;
  return {
    ...service,
    wire,
    async turn(...next) {
      replies.push(...next, { text: 'Done.' });
      const events = await service.say();
      expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
      return [...events];
    },
    async notes() {
      const { notes } = (await service.call('GET', `/api/memory?scope=workspace&chatId=${chatId}`)).body;
      return notes.map(({ key, value }: any) => `${key}=${value}`).sort();
    },
    state: async () => (await service.call('GET', '/api/sync/state')).body.sets.find(({ target }: any) => target === 'team'),
  };
}
const remember = (key: string, value: string): ScriptedReply => ({
  toolCalls: [{ name: 'remember', args: { key, value, type: 'fact', scope: 'workspace' } }],
});
const waiting = { timeout: 30_000 };
const resultOf = (events: readonly any[], name: string): any => events.find((event) => event.kind === 'tool_result' && event.name === name);

test('keeps notes while the control plane is unreachable and merges them with the first turn afterwards', { timeout: 60_000 }, async () => {
  const org = newOrg();
  const [ada, bob] = [await open('ada-a@example.org', org), await open('bob-a@example.org', org)];
  await ada.turn(remember('build', 'make all'));
  await expect.poll(() => ada.state(), waiting).toMatchObject({ pending: 0, revision: 1 });
  await bob.turn();
  await expect.poll(() => bob.notes(), waiting).toEqual(['build=make all']);
  await bob.wire.cut();
  for (const [key, value] of [
    ['test', 'make check'],
    ['build', 'make quickly'],
  ] as const) {
    await bob.turn(remember(key, value));
  }
  await expect.poll(() => bob.state(), waiting).toMatchObject({ isAgreed: true, pending: 2, problem: expect.stringContaining('cannot be reached') });
  await ada.turn(remember('deploy', 'make ship'));
  await expect.poll(() => ada.state(), waiting).toMatchObject({ pending: 0, revision: 2 });
  await bob.wire.mend();
  await bob.turn();
  const left = async (): Promise<unknown[]> => {
    const { pending, problem } = await bob.state();
    return [pending, problem];
  };
  await expect.poll(left, waiting).toEqual([0, undefined]);
  await ada.turn();
  const all = ['build=make quickly', 'deploy=make ship', 'test=make check'];
  await expect.poll(async () => [await ada.notes(), await bob.notes()], waiting).toEqual([all, all]);
});

test('completes a turn when the control plane disappears during it, and sends the notes later', { timeout: 60_000 }, async () => {
  const ada = await open('ada-m@example.org', newOrg());
  await ada.turn(remember('build', 'make all'));
  await expect.poll(() => ada.state(), waiting).toMatchObject({ pending: 0, revision: 1 });
  let go: () => void = () => undefined;
  const isCut = new Promise<void>((resolve) => (go = resolve));
  const turn = ada.turn(remember('test', 'make check'), { toolCalls: [{ name: 'team_memory_sync' }], until: isCut });
  await expect.poll(() => ada.model.requests.length, waiting).toBe(4);
  await ada.wire.cut();
  go();
  const result = resultOf(await turn, 'team_memory_sync');
  expect(result).toMatchObject({ ok: false, output: expect.stringMatching(/cannot be reached[^]*sent with the next sync/) });
  expect(await ada.state()).toMatchObject({ pending: 1, problem: expect.stringContaining('cannot be reached') });
  const begun = performance.now();
  await ada.turn();
  // The control plane is known to be unreachable, so the turn does not wait for it.
  expect(performance.now() - begun).toBeLessThan(5_000);
  await ada.wire.mend();
  await ada.turn();
  await expect.poll(() => ada.state(), waiting).toMatchObject({ pending: 0, revision: 2 });
});
