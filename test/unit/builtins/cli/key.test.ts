import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from './cli-kernel.ts';

test('key set appends the key to .env with mode 600 and prints it nowhere', async () => {
  const cli = await startCli({ prepare: (home) => writeFile(join(home, '.env'), 'OTHER=1', { mode: 0o644 }) });
  const path = join(cli.home, '.env');
  const first = await cli.run(['key', 'set'], { input: ['sk-first-key'] });
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining(`SOME_API_KEY is in ${path}`) });
  const second = await cli.run(['key', 'set', '--base-url', 'https://models.example/v1/', '--model', 'big'], { input: ['odd#key'], isPerson: true });
  expect(second.code).toBe(0);
  expect(await readFile(path, 'utf8')).toBe(
    "OTHER=1\nSOME_API_KEY=sk-first-key\nAGENT_API_BASE_URL=https://models.example/v1\nAGENT_MODEL=big\nSOME_API_KEY='odd#key'\n",
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.stringify([first, second])).not.toMatch(/sk-first-key|odd#key/);
});

test('key set rejects an invalid key, and a key as an argument', async () => {
  const cli = await startCli();
  for (const input of [[], [''], ['two words']]) expect((await cli.run(['key', 'set'], { input })).code).toBe(1);
  expect((await cli.run(['key', 'set', 'sk-on-the-command-line'], { input: ['x'] })).code).toBe(2);
  expect((await cli.run(['key', 'set', '--base-url', 'ftp://nowhere'], { input: ['x'] })).code).toBe(2);
  await expect(readFile(join(cli.home, '.env'))).rejects.toMatchObject({ code: 'ENOENT' });
});
