// Tests a home folder on a full or read-only disk: immediate errors, and no state that is not stored.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { title, whyNot } from '../../unit/builtins/shell/sandbox-tests.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { createProgram } from '../../helpers/cli-program.ts';

let folders: string[];
let server: ServerProcess | undefined;
beforeEach(async () => void (folders = await Promise.all(['home', 'work', 'plugins'].map((name) => mkdtemp(join(tmpdir(), `full-disk-${name}-`))))));
afterEach(async () => {
  await server?.stop();
  server = undefined;
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Plugin that fills the disk as the server sees it. */
const filler = `
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
export const manifest = { name: 'filler', requires: ['product', 'http'] };
export function register(registry) {
  const path = join(registry.services.product.home, 'filler');
  const free = () => (rmSync(path, { force: true }), {});
  const fill = () => {
    const file = openSync(path, 'a');
    try {
      for (;;) writeSync(file, Buffer.alloc(4096));
    } catch ({ code }) {
      return { code };
    } finally {
      closeSync(file);
    }
  };
  const schema = { reply: { type: 'object', properties: { code: { type: 'string' } } } };
  for (const [name, handle] of Object.entries({ fill, free })) registry.add('route', { key: 'POST /api/filler/' + name, summary: 'For this test.', tag: 'server', schema, handle });
}`;

const bubblewrap = ['bwrap', '--die-with-parent', '--dev-bind', '/', '/'];

async function startOnSmallDisk(): Promise<ServerProcess> {
  const [home = '', workspace = '', plugins = ''] = folders;
  await writeFile(join(plugins, 'filler.mjs'), filler, { mode: 0o600 });
  server = await startServerProcess({
    home,
    workspace,
    environment: { AGENT_WEB_TOKEN: 'a'.repeat(64), AGENT_PLUGIN_DIR: plugins },
    inside: [...bubblewrap, '--perms', '0700', '--size', String(48 * 1024 * 1024), '--tmpfs', home],
  });
  while ((await server.call('GET', '/api/config')).status === 503);
  return server;
}

describe.skipIf(whyNot !== undefined)(title, () => {
  test('returns 503 unwritable on a full disk and keeps the stored state', async () => {
    const { call } = await startOnSmallDisk();
    const { chatId } = (await call('POST', '/api/chats', { title: 'Before' })).body;
    const other = (await call('POST', '/api/chats', { title: 'Other', activate: false })).body.chatId;
    expect((await call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '17' } } })).status).toBe(200);
    const shown = async (): Promise<unknown> => {
      const [chats, settings] = await Promise.all(['/api/chats', '/api/settings'].map(async (path) => (await call('GET', path)).body));
      const titles = chats.chats.map((chat: { title: string }) => chat.title).sort();
      return { titles, active: chats.activeChatId, orphans: chats.orphanIds, rounds: settings.fields.find(({ key }: any) => key === 'AGENT_MAX_ROUNDS').value };
    };
    const before = await shown();
    expect(before).toEqual({ titles: ['Before', 'Other'], active: chatId, orphans: [], rounds: 17 });

    expect((await call('POST', '/api/filler/fill', {})).body).toEqual({ code: 'ENOSPC' });
    const requests = [
      ['PATCH', `/api/chats/${chatId}`, { title: 'After' }],
      ['POST', '/api/chats', { title: 'Third' }],
      ['POST', '/api/chats', { title: 'Fourth', workspaceMode: 'scratch' }],
      ['POST', `/api/chats/${other}/activate`, {}],
      ['PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '18' } } }],
      ['PUT', '/api/settings', { provider: { model: 'other-model' } }],
    ] as const;
    for (const [method, path, body] of requests) {
      await call('POST', '/api/filler/fill', {});
      const { status, body: reply } = await call(method, path, body);
      expect([path, status, reply.error?.code, reply.error?.message]).toEqual([
        path,
        503,
        'unwritable',
        expect.stringMatching(/cannot be written: the disk is full\. Free/),
      ]);
    }
    expect(await shown()).toEqual(before);
    const { errors } = (await call('GET', '/api/plugins')).body;
    // Filling the disk may block the server long enough to report this plugin too.
    expect(errors.filter(({ plugin }: any) => plugin !== 'filler')).toMatchObject([
      { code: 'STORAGE_ERR_UNWRITABLE', source: 'storage', message: expect.stringContaining('the disk is full') },
    ]);

    await call('POST', '/api/filler/free', {});
    expect((await call('PATCH', `/api/chats/${chatId}`, { title: 'After' })).status).toBe(200);
    expect(await shown()).toEqual({ ...(before as object), titles: ['After', 'Other'] });
  });

  test('exits with the reason on a read-only home folder', async () => {
    const program = await createProgram();
    try {
      await program.run(['doctor']);
      const { code, stderr } = await program.shell(`${bubblewrap.join(' ')} --ro-bind "$HOME" "$HOME" "$NODE" "$MAIN" serve`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/cannot be written: the file system is read-only\. Mount it/);
    } finally {
      await program.clean();
    }
  });
});
