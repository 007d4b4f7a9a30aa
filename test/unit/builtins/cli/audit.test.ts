import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Type from 'typebox';
import { describe, expect, test, vi } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import { useFolder } from '../../../helpers/use-opened.ts';
import { startCli, type CliKernel, type CliKernelOptions } from './cli-kernel.ts';

const text = (env: string, value = '') => Type.String({ default: value, env });
const settings: PluginModule<never> = {
  manifest: {
    name: 'fake-settings',
    config: Type.Object({
      host: text('AGENT_WEB_BIND_HOST', '127.0.0.1'),
      origins: text('AGENT_WEB_CORS_ORIGINS'),
      hosts: text('AGENT_WEB_ALLOWED_HOSTS'),
      sandbox: text('AGENT_SANDBOX', 'auto'),
      baseURL: text('AGENT_API_BASE_URL', 'https://openrouter.ai/api/v1'),
      plugins: text('AGENT_PLUGIN_DIR'),
      yolo: Type.Boolean({ default: false, env: 'AGENT_YOLO' }),
      token: Type.String({ default: '', env: 'AGENT_WEB_TOKEN', secret: true }),
      key: Type.String({ default: '', env: 'AGENT_API_KEY', secret: true }),
    }),
  } as never,
  register: () => undefined,
};

let cli: CliKernel;
const place = useFolder('audit-');

async function audit(options: CliKernelOptions = {}, ...argv: string[]): ReturnType<CliKernel['run']> {
  cli = await startCli({ ...options, modules: { 'fake-settings': settings } });
  return cli.run(['audit', ...argv]);
}

async function modeOf(...path: string[]): Promise<string> {
  return ((await stat(join(cli.home, ...path))).mode & 0o777).toString(8);
}

describe('audit', () => {
  test('reports nothing serious in a fresh home and exits 0', async () => {
    const { code, stdout } = await audit();
    expect(stdout).not.toContain('wrong');
    expect(stdout).toContain('ok     The server listens on this machine only.\n');
    expect(stdout).toContain('ok     The web token is long and random.\n');
    expect(code).toBe(0);
  });

  test('reports files that others can read, prints the fix, and applies it with --fix', async () => {
    const prepare = async (home: string): Promise<void> => {
      await writeFile(join(home, '.env'), 'AGENT_API_KEY=x', { mode: 0o644 });
      await chmod(join(home, '.env'), 0o644);
      await chmod(home, 0o755);
    };
    const { code, stdout } = await audit({ prepare });
    expect(code).toBe(1);
    expect(stdout).toContain(`wrong  ${cli.home} has mode 755`);
    expect(stdout).toContain(`       chmod 600 '${join(cli.home, '.env')}', or run 'audit --fix'\n`);

    expect(await cli.run(['audit', '--fix'])).toMatchObject({ code: 0, stdout: expect.stringContaining('.env now has mode 600.') });
    expect(await modeOf('.env')).toBe('600');
    expect(await modeOf()).toBe('700');
    expect((await cli.run(['audit'])).stdout).toContain('Only you can read');
  });

  test('does not follow a link in place of a secret file', async () => {
    const { code, stdout } = await audit({ prepare: (home) => symlink('/etc/hostname', join(home, 'license.json')) }, '--fix');
    expect(code).toBe(1);
    expect(stdout).toContain('license.json is a symbolic link.');
  });

  test('reports plugins that others can change', async () => {
    const prepare = async (home: string): Promise<void> => {
      await mkdir(join(home, 'plugins'));
      await writeFile(join(home, 'plugins', 'mine.mjs'), '');
      await chmod(join(home, 'plugins', 'mine.mjs'), 0o666);
    };
    expect(await audit({ prepare })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/wrong {2}Other users can change \S+mine\.mjs, and plugins run with your rights\./),
    });
    expect((await cli.run(['audit', '--fix'])).code).toBe(0);
    expect(await modeOf('plugins', 'mine.mjs')).toBe('644');
  });

  test('reports a world-writable folder above the home and plugin folders, and a project around the home', async () => {
    await mkdir(join(place, 'plugins'));
    await mkdir(join(place, '.git'));
    await chmod(place, 0o1777);
    const shielded = await audit({ parent: place, environment: { AGENT_PLUGIN_DIR: join(place, 'plugins') } });
    expect(shielded).toMatchObject({ code: 0, stdout: expect.stringContaining(`note   ${cli.home} is inside the project ${place}`) });

    await chmod(place, 0o777);
    const { code, stdout } = await cli.run(['audit']);
    expect(code).toBe(1);
    for (const path of [cli.home, join(place, 'plugins')])
      expect(stdout).toContain(`wrong  Any user of this machine can replace ${path}, because ${place} has mode 777.\n       chmod o-w '${place}'\n`);
  });

  test.each([
    [{ AGENT_YOLO: '1' }, 'AGENT_YOLO is on'],
    [{ AGENT_API_BASE_URL: 'http://models.example/v1' }, 'keys are sent there unencrypted'],
    [{ AGENT_WEB_BIND_HOST: '0.0.0.0' }, 'other machines in the network reach it'],
    [{ AGENT_WEB_CORS_ORIGINS: '*' }, 'any site can serve such a page'],
    [{ AGENT_WEB_CORS_ORIGINS: 'https://a.example, http://b.example' }, 'Pages of http://b.example'],
    [{ AGENT_WEB_ALLOWED_HOSTS: '*' }, 'Every Host name is accepted'],
  ])('reports %j as wrong and exits 1', async (environment, sentence) => {
    const { code, stdout } = await audit({ environment: environment });
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`wrong {2}.*${sentence}`));
  });

  test.each([
    [{ AGENT_API_BASE_URL: 'http://localhost:11434/v1' }, 'The server listens'],
    [{ AGENT_WEB_CORS_ORIGINS: 'https://a.example' }, 'note   Pages of https://a.example'],
    [{ AGENT_WEB_BIND_HOST: '192.168.0.2', AGENT_WEB_TOKEN: 'a token of their own' }, 'note   The server listens on 192.168.0.2'],
    [{ AGENT_SANDBOX: 'off' }, 'note   AGENT_SANDBOX is off'],
  ])('does not report %j as wrong and exits 0', async (environment, sentence) => {
    const { code, stdout } = await audit({ environment: environment as unknown as Record<string, string> });
    expect(stdout).toContain(sentence);
    expect(code).toBe(0);
  });

  test.each([
    ['short', 1, 'easy to guess'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1, 'easy to guess'],
    ['0123456789abcdef0', 0, 'is short'],
  ])('rates the token %j', async (token, exitCode, sentence) => {
    const { code, stdout } = await audit({ token });
    expect(stdout).toContain(sentence);
    expect(code).toBe(exitCode);
  });

  test.runIf(process.platform === 'linux')('reports missing bubblewrap when a sandbox is enabled', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const { code, stdout } = await audit();
    vi.unstubAllEnvs();
    expect(stdout).toContain('note   bubblewrap is missing, so there is no sandbox');
    expect(code).toBe(0);
  });

  test('reports a secret in the preferences', async () => {
    const prepare = (home: string): Promise<void> =>
      writeFile(join(home, '.agent_runtime_prefs.json'), '{"harness":{"env":{"AGENT_API_KEY":"x"}}}', { mode: 0o600 });
    expect(await audit({ prepare })).toMatchObject({ code: 1, stdout: expect.stringContaining('wrong  AGENT_API_KEY is in') });
  });

  test('prints JSON with the same exit code', async () => {
    const { code, stdout } = await audit({ environment: { AGENT_YOLO: '1' } }, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ level: 'wrong', mend: 'Unset AGENT_YOLO.' }));
  });
});
