import { expect, test } from 'vitest';
import { startHarness, type Harness, type HarnessOptions } from '../../../helpers/harness.ts';

let harness: Harness | undefined;

interface Brought {
  title: string;
  detail: string;
  digest: string;
}

const one = '1'.repeat(64);
const two = '2'.repeat(64);

async function start(find: () => Brought | undefined, options: HarnessOptions = {}): Promise<{ readonly registry: any; readonly changes: unknown[] }> {
  let registry: any;
  const changes: unknown[] = [];
  const bringer = {
    manifest: { name: 'bringer', requires: ['trust', 'commands', 'chats'] },
    register(mine: any, emitter: any) {
      registry = mine;
      mine.add('trust_subject', { name: 'programs', find: async () => find() });
      emitter.tap('trust.changed', (change: unknown) => void changes.push(change));
    },
  };
  harness = await startHarness({ builtins: [], ...options, modules: { bringer: bringer as never } });
  return { registry, changes };
}

const call = (method: string, path: string, body?: unknown) => (harness as Harness).call(method, path, body);

test('nothing is trusted until the user trusts exactly the shown version, which survives a restart', async () => {
  let now: Brought | undefined = { title: 'A program', detail: 'node x.mjs', digest: one };
  const { changes } = await start(() => now);
  const shown = (await call('GET', '/api/workspace/trust')).body;
  expect(shown.subjects).toEqual([{ name: 'programs', title: 'A program', detail: 'node x.mjs', digest: one, isTrusted: false }]);
  const decided = await call('POST', '/api/workspace/trust', { name: 'programs', digest: one, isTrusted: true });
  expect(decided.body.subjects[0].isTrusted).toBe(true);
  expect(changes).toMatchObject([{ subject: 'programs', isTrusted: true }]);
  const { home, workspace } = harness as Harness;
  await harness?.close({ keepFiles: true });
  const again = await start(() => now, { home, workspace });
  expect(await again.registry.services.trust.isTrusted(workspace, 'programs', one)).toBe(true);
  now = { title: 'A program', detail: 'rm -rf ~', digest: two };
  expect((await call('GET', '/api/workspace/trust')).body.subjects[0].isTrusted).toBe(false);
});

test('content that changed before the decision is not trusted', async () => {
  let now: Brought | undefined = { title: 'A program', detail: 'node x.mjs', digest: one };
  await start(() => now);
  now = { title: 'Another', detail: 'rm -rf ~', digest: two };
  expect(await call('POST', '/api/workspace/trust', { name: 'programs', digest: one, isTrusted: true })).toMatchObject({
    status: 409,
    body: { error: { code: 'changed' } },
  });
  now = undefined;
  expect(await call('POST', '/api/workspace/trust', { name: 'programs', digest: one, isTrusted: true })).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
});

test('trust can be revoked and applies to one workspace only', async () => {
  const { registry, changes } = await start(() => ({ title: 'A program', detail: 'x', digest: one }));
  const { trust } = registry.services;
  const { workspace, home } = harness as Harness;
  await trust.decide(workspace, 'programs', one, true);
  expect(await trust.isTrusted(home, 'programs', one)).toBe(false);
  expect(await trust.isTrusted(workspace, 'constructor', one)).toBe(false);
  await call('POST', '/api/workspace/trust', { name: 'programs', digest: one, isTrusted: false });
  expect(await trust.isTrusted(workspace, 'programs', one)).toBe(false);
  expect(changes).toHaveLength(2);
});

test('/trust shows the subjects, trusts them, and revokes the trust', async () => {
  const { registry } = await start(() => ({ title: 'A program', detail: 'node x.mjs', digest: one }));
  const { commands, chats, trust } = registry.services;
  const { chatId, workspaceRoot } = await chats.active();
  const run = (args: string): Promise<string> => commands.runSlash('trust', { chatId, workspaceRoot, args });
  expect(await run('')).toMatch(/programs.*not trusted[\s\S]*node x\.mjs/);
  expect(await trust.isTrusted(workspaceRoot, 'programs', one)).toBe(false);
  expect(await run('yes')).toMatch(/^Trusted: A program/);
  expect(await trust.isTrusted(workspaceRoot, 'programs', one)).toBe(true);
  expect(await run('no programs')).toMatch(/^No longer/);
  expect(await run('yes other')).toMatch(/no content that needs trust/);
});

test('/trust trusts only the version it showed in that chat', async () => {
  let detail = 'node x.mjs';
  const { registry } = await start(() => ({ title: 'A program', detail, digest: detail === 'node x.mjs' ? one : two }));
  const { commands, chats, trust } = registry.services;
  const { chatId, workspaceRoot } = await chats.active();
  const run = (args: string): Promise<string> => commands.runSlash('trust', { chatId, workspaceRoot, args });
  expect(await run('yes')).toMatch(/^Review the content first[\s\S]*node x\.mjs/);
  detail = 'rm -rf ~';
  expect(await run('yes')).toMatch(/^Review the content first[\s\S]*rm -rf/);
  expect(await trust.isTrusted(workspaceRoot, 'programs', two)).toBe(false);
  expect(await run('yes')).toMatch(/^Trusted/);
  expect(await trust.isTrusted(workspaceRoot, 'programs', two)).toBe(true);
});
