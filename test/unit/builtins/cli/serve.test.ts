import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../../helpers/free-port.ts';
import { startCli, type CliKernel } from './cli-kernel.ts';

let cli: CliKernel;

afterEach(() => vi.unstubAllEnvs());

async function serve(...argv: string[]): ReturnType<CliKernel['run']> {
  const stop = new AbortController();
  const watch = (written: string): void => {
    if (written.includes('is ready at')) setImmediate(() => stop.abort());
  };
  return cli.run(argv, { signal: stop.signal, watch });
}

describe('serve', () => {
  test('prints its address, waits for the abort signal, closes and exits 0', async () => {
    cli = await startCli();
    const { code, stdout } = await serve('serve');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Test Program is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(cli.done).toEqual(['listen {}', 'close']);
  });

  test('is the default command', async () => {
    cli = await startCli();
    expect((await serve()).stdout).toContain('is ready at');
  });

  test('reads port and host from the command line', async () => {
    cli = await startCli();
    await serve('serve', '--port', '0', '--host', '127.0.0.1');
    expect(cli.done[0]).toBe('listen {"port":0,"host":"127.0.0.1"}');
  });

  test('prints each setting with an invalid value and its consequence', async () => {
    const config = {
      properties: { cap: { type: 'number', env: 'T_CAP', default: 0, mustFit: true }, width: { type: 'integer', env: 'T_WIDTH', default: 80 } },
    };
    const faulty = { manifest: { name: 'faulty', config }, register: () => undefined };
    cli = await startCli({ environment: { T_CAP: '2,50', T_WIDTH: 'wide' }, modules: { faulty: faulty as never } });
    const lines = ['T_CAP: must be a number. Features that need this setting do not run.', 'T_WIDTH: must be a number. The default is used.'];
    expect((await serve('serve')).stderr).toBe(`${lines.join('\n')}\n`);
    const { code, stdout } = await cli.run(['doctor', '--json']);
    expect(code).toBe(1);
    const findings = JSON.parse(stdout);
    expect(findings).toContainEqual({ level: 'wrong', text: lines[0], mend: 'Correct T_CAP or remove it.' });
    expect(findings).toContainEqual({ level: 'note', text: lines[1] });
  });

  test('prints variables that no plugin declares, with similar settings', async () => {
    const config = { properties: { address: { type: 'string', env: 'AGENT_API_BASE_URL' }, key: { type: 'string', env: 'AGENT_API_KEY', secret: true } } };
    const sample = { manifest: { name: 'sample', config }, register: () => undefined };
    // Another program may have variables with the same prefix: those of the environment are reported only if a setting has a similar name.
    for (const name of ['AGENT_API_URL', 'AGENT_OS', 'AGENT_JOBSTATUS', 'OTHER_API_KEY']) vi.stubEnv(name, 'x');
    cli = await startCli({ modules: { sample: sample as never }, dotenv: { AGENT_API_KEY: 'k', AGENT_PAI_KEY: 'k', AGENT_ANYTHING: '1', PORT: '1' } });
    const lines = [
      'AGENT_PAI_KEY is not a setting of any plugin. Did you mean AGENT_API_KEY?',
      'AGENT_ANYTHING is not a setting of any plugin.',
      'AGENT_API_URL is not a setting of any plugin. Did you mean AGENT_API_KEY or AGENT_API_BASE_URL?',
    ];
    expect((await serve('serve')).stderr).toBe(`${lines.join('\n')}\n`);
    const findings = JSON.parse((await cli.run(['doctor', '--json'])).stdout);
    for (const text of lines) expect(findings).toContainEqual({ level: 'note', text, mend: 'Correct its name or remove it.' });
  });

  test('prints a plugin error on one line without control characters', async () => {
    const evil = 'it fails\x1b]0;title\x07\x1b[2J\u202e\r\nerror policy: all is well\nPlugin x: fine';
    const faulty = { manifest: { name: 'faulty' }, register: () => Promise.reject(new Error(evil)) };
    cli = await startCli({ modules: { faulty: faulty as never } });
    const { stderr } = await serve('serve');
    const lines = stderr.trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('it fails'))).not.toEqual([]);
    expect(lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line) || /^(?:error policy|Plugin x)/.test(line))).toEqual([]);
    const doctor = (await cli.run(['doctor'])).stdout.split('\n');
    expect(doctor.filter((line) => /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.test(line) || /^(?:error policy|Plugin x)/.test(line))).toEqual([]);
  });

  test.each(['', 'x', '-1', '65536', '1.5'])('rejects the port %j', async (port) => {
    cli = await startCli();
    expect(await cli.run(['serve', `--port=${port}`])).toMatchObject({ code: 2, stderr: expect.stringContaining('--port needs a number') });
  });

  test('reports that the demo model is in use and how to set a key', async () => {
    cli = await startCli({ wire: 'demo' });
    expect((await serve('serve')).stdout).toContain(`Put AGENT_API_KEY=<key> into ${cli.home}/.env`);
  });

  test('reports a missing demo model and a missing page', async () => {
    cli = await startCli({ wire: 'demo', hasDemo: false, hasPage: false });
    const { stdout } = await serve('serve');
    expect(stdout).toContain('no demo model, so no model is available');
    expect(stdout).toContain("This distribution has no page; use 'app chat' in a terminal.");
    expect((await cli.run(['doctor'])).stdout).toContain('no demo model');
  });

  test('without a command, prints the address of a server that is already running', async () => {
    cli = await startCli();
    await cli.runServer();
    expect(await cli.run([])).toMatchObject({ code: 0, stdout: expect.stringContaining(`runs at ${cli.server.url()}`), stderr: '' });
    expect(cli.done).toEqual([]);
  });

  test('prints a one-line warning for each failed plugin', async () => {
    const broken = { register: () => Promise.reject(new Error('no such file')) };
    cli = await startCli({ modules: { broken } });
    expect((await serve('serve')).stderr).toMatch(/^Plugin 'broken' failed: .*no such file\n$/);
  });

  test('refuses to start a second server on one home folder', async () => {
    cli = await startCli();
    await cli.runServer();
    const { code, stderr } = await serve('serve');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `app: Test Program is already running at ${cli.server.url()} (process ${process.pid}). Stop it there, or use it from here. (CLI_ERR_ALREADY_RUNNING)\n`,
    );
  });
});

describe('detection of a running server', () => {
  test('ignores a file with a dead process, a closed port or invalid content', async () => {
    cli = await startCli();
    const port = await freePort();
    for (const text of [JSON.stringify({ pid: 2 ** 30, port: 80 }), JSON.stringify({ pid: process.pid, port }), '{"pid":', '{"pid":"1"}']) {
      await writeFile(join(cli.home, 'server.json'), text);
      expect((await serve('serve')).code).toBe(0);
    }
  });

  test('reports a running server with another token instead of replacing it', async () => {
    cli = await startCli();
    await cli.runServer();
    const other = await startCli({ token: 'another-token-that-is-long-enough' });
    await writeFile(join(other.home, 'server.json'), JSON.stringify({ pid: process.pid, port: cli.server.port(), host: '0.0.0.0' }));
    expect(await other.run(['serve'])).toMatchObject({ code: 1, stderr: expect.stringContaining('AGENT_WEB_TOKEN') });
    expect(await other.run(['chats'])).toMatchObject({ code: 1, stderr: expect.stringContaining('CLI_ERR_TOKEN_REFUSED') });
  });
});
