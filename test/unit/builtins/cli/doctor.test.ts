import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Type from 'typebox';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import { checkNode } from '../../../../builtins/clients/cli/commands/doctor.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { startCli, type CliKernel, type CliKernelOptions } from './cli-kernel.ts';

const settings: PluginModule<never> = {
  manifest: { name: 'fake-settings', config: Type.Object({ port: Type.Integer({ default: 3001, env: 'PORT' }) }) } as never,
  register: () => undefined,
};

let cli: CliKernel;

async function start(options: CliKernelOptions = {}): Promise<void> {
  cli = await startCli({
    ...options,
    modules: { 'fake-settings': settings, ...options.modules },
    environment: { PORT: String(await freePort()), ...options.environment },
  });
}

async function occupy(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function writeJournal(home: string, chatId: string, text: string): Promise<void> {
  await mkdir(join(home, 'chats', chatId), { recursive: true });
  await writeFile(join(home, 'chats', chatId, 'session.jsonl'), text);
}

describe('doctor', () => {
  test('reports no error in a fresh home and exits 0', async () => {
    await start();
    const { code, stdout } = await cli.run(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain(`ok     Node ${process.versions.node}\n`);
    expect(stdout).toContain('ok     0 chats can be read.\n');
    expect(stdout).toMatch(/ok {5}No server runs; port \d+ is free for one\.\n/);
    expect(stdout).toContain('ok     Model some-model at https://models.example/v1.\n');
    expect(stdout).not.toContain('wrong');
  });

  test('reports the address and process of a running server', async () => {
    await start();
    await cli.runServer();
    expect((await cli.run(['doctor'])).stdout).toContain(`ok     The server runs at ${cli.server.url()} (process ${process.pid}).`);
  });

  test('reports the errors of the running server, or start errors if no server is running', async () => {
    const fault = (message: string) => ({ id: 1, kind: 'error', at: '2026-01-01T00:00:00.000Z', source: 'storage', code: 'STORAGE_ERR_CORRUPT', message });
    const eventLog: PluginModule<never> = {
      manifest: { name: 'event-log', provides: ['eventLog'] } as never,
      register: (registry) => void registry.provide('eventLog' as never, (() => ({ newest: () => [{ json: JSON.stringify(fault('told here')) }] })) as never),
    };
    await start({ modules: { 'event-log': eventLog } });
    expect(await cli.run(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('wrong  told here') });
    await cli.runServer();
    cli.server.on('GET /api/plugins', () => ({ body: { plugins: [], errors: [fault('told there')] } }));
    const { stdout } = await cli.run(['doctor']);
    expect(stdout).toContain('wrong  told there');
    expect(stdout).not.toContain('told here');
  });

  test.each([
    [{ ok: true, tools: 'called' }, 0, 'ok   '],
    [{ ok: true, tools: 'refused' }, 0, 'note '],
    [{ ok: false }, 1, 'wrong'],
  ])('tests the model connection only with --connection: %j', async (result, code, level) => {
    await start();
    cli.server.on('POST /api/provider/test', () => ({ body: { ...result, lines: [{ title: 'Response time', text: '412 ms' }] } }));
    expect((await cli.run(['doctor'])).stdout).not.toContain('Connection to the model');
    const tested = await cli.run(['doctor', '--connection']);
    expect(tested).toMatchObject({ code, stdout: expect.stringContaining(`${level}  Connection to the model:\n       Response time: 412 ms\n`) });
  });

  test('reports a port in use by another program and how to fix it', async () => {
    const other = await occupy();
    onTestFinished(() => void other.close());
    await start({ environment: { PORT: String((other.address() as AddressInfo).port) } });
    const { code, stdout } = await cli.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/wrong {2}No server runs, and none could listen on 127\.0\.0\.1, port \d+: another program uses it\.\n {7}Choose another port/);
  });

  test('reports failed plugins, also as JSON with the same exit code', async () => {
    await start({ modules: { broken: { register: () => Promise.reject(new Error('no such file')) } } });
    const { code, stdout } = await cli.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toContain("wrong  Plugin 'broken' failed: ");
    expect(stdout).toContain('Fix or remove its file in the plugin folder.');
    const asJson = await cli.run(['doctor', '--json']);
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toContainEqual(expect.objectContaining({ level: 'wrong', mend: expect.any(String) }));
  });

  test('distinguishes a broken journal from one with a truncated last line', async () => {
    await start();
    await writeJournal(cli.home, 'chat_good', '{"id":1}\n{"id":2}\n');
    await writeJournal(cli.home, 'chat_cut', '{"id":1}\n{"id"');
    expect(await cli.run(['doctor'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/note {3}\S*chat_cut\S* ends in the middle of a line/) });
    await writeJournal(cli.home, 'chat_bad', `${'{"id":1}\n'.repeat(20_000)}nonsense\n{"id":2}\n`);
    const { code, stdout } = await cli.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/wrong {2}\S*chat_bad\S* has lines that are not valid JSON\.\n/);
  });

  test('reports quarantined files and a missing key', async () => {
    await start({ wire: 'demo' });
    await writeFile(join(cli.home, 'integrations.json.corrupt-2026'), '');
    await mkdir(join(cli.home, 'chats', 'chat_one'), { recursive: true });
    await writeFile(join(cli.home, 'chats', 'chat_one', 'meta.json.corrupt-2026'), '');
    const { code, stdout } = await cli.run(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain('integrations.json.corrupt-2026 was unreadable and has been quarantined.');
    expect(stdout).toContain('meta.json.corrupt-2026 was unreadable and has been quarantined.');
    expect(stdout).toContain('a built-in demo model answers');
  });

  test.skipIf(process.getuid?.() === 0)('reports a home folder without write permission', async () => {
    await start();
    await chmod(cli.home, 0o500);
    expect(await cli.run(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('cannot be read and written') });
    await chmod(cli.home, 0o700);
  });

  test.each([
    ['18.19.0', 'wrong'],
    ['20.18.9', 'wrong'],
    ['20.19.0', 'ok'],
    ['22.0.0', 'ok'],
  ])('rates Node %s as %s', async (version, level) => {
    await start();
    expect(checkNode(version).level).toBe(level);
  });
});
