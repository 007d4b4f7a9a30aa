// Tests the output of `app plugins dev` in the built program for plugin authors.
// late: sucrase
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram, startProgram, type RunningProgram } from '../../helpers/program.ts';

let place: string;
let home: string;
let program: RunningProgram | undefined;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'plugin-dev-'));
  home = join(place, 'home');
});
afterEach(async () => {
  await program?.stop();
  program = undefined;
  await rm(place, { recursive: true, force: true, maxRetries: 3 });
});

async function develop(...argv: string[]): Promise<(path: string) => Promise<any>> {
  program = startProgram(['plugins', 'dev', ...argv, '--port', '0'], {
    environment: { HOME: home, APP_HOME: home, AGENT_PERSONA_BOOTSTRAP: '0' },
    folder: place,
  });
  const [, url = ''] = await program.says(/ready at (http:\S+)/);
  const token = (await readFile(join(home, 'web_token'), 'utf8')).trim();
  return async (path) => (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json();
}

const source = (answer: string, more = ''): string => `import type { Registry } from 'agent-harness/kernel';
import { end } from './parts/end.ts';

interface Greeting {
  readonly text: string;
}
${more}
export const manifest = { name: 'greet', isolation: 'process' } as const;
export function register(registry: Registry): void {
  registry.add('route', { key: 'GET /api/dev-greet', summary: 'x', tag: 'x', schema: {}, handle: (): Greeting => ({ text: \`${answer}\${end}\` }) });
}
`;
const write = (name: string, text: string): Promise<void> => writeFile(join(place, 'greet', name), text, { mode: 0o600 });
const says = async (pattern: RegExp, from: string): Promise<string> => (await program!.says(pattern, from))[0];
const so = (): string => program!.output();

test('runs a TypeScript plugin on save and reports faults with source file and line', { timeout: 60_000 }, async () => {
  await mkdir(join(place, 'greet/parts'), { recursive: true, mode: 0o700 });
  await write('parts/end.ts', "export const end: string = '!';\n");
  await write('index.ts', source('Hello'));
  const get = await develop('greet');
  // A file written in two steps triggers two runs. Only the second run has the complete text.
  const answers = (text: string): Promise<unknown> => expect.poll(() => get('/api/dev-greet')).toEqual({ text });
  await program!.says(/greet runs \(\d+ ms\): route:GET \/api\/dev-greet\./);
  expect(so()).not.toContain('does not run');
  expect(await get('/api/dev-greet')).toEqual({ text: 'Hello!' });

  let before = so();
  await write('parts/end.ts', "export const end: string = '?';\n");
  await says(/greet runs \(\d+ ms\)/, before);
  await answers('Hello?');

  before = so();
  await write('index.ts', source('Hi', 'const broken: = 1;'));
  expect(await says(/greet\/index\.ts:7:\d+: .+/, before)).toContain('Unexpected token');
  expect(await get('/api/dev-greet')).toEqual({ text: 'Hello?' });

  before = so();
  await write('index.ts', source('Hi', "import { missing } from './parts/nothing.ts';"));
  await says(/still runs the version from before its file changed: .*parts\/nothing\.mjs/, before);

  before = so();
  await write('index.ts', source('Hi').replace('registry.add', '(registry as any).fly(1);\n  registry.add'));
  await says(/greet\/index\.ts:10:\d+: TypeError: registry\.fly is not a function \(greet, register\)/, before);
  expect(await get('/api/dev-greet')).toEqual({ text: 'Hello?' });

  before = so();
  await write('index.ts', source('Hi').replace('handle: (): Greeting =>', 'handle: (): Greeting => (undefined as any).x ??'));
  await says(/greet runs/, before);
  before = so();
  await expect.poll(async () => (await get('/api/dev-greet')).error).toBeDefined();
  await says(/greet\/index\.ts:10:\d+: TypeError: .* \(greet, route\)/, before);

  before = so();
  await write('index.ts', source('Bye'));
  await says(/greet runs/, before);
  await answers('Bye?');
});

test('watches TypeScript and JavaScript plugins in the plugin folder and rejects a missing path at start', { timeout: 60_000 }, async () => {
  await mkdir(join(home, 'plugins/typed'), { recursive: true, mode: 0o700 });
  await writeFile(join(home, 'plugins/typed/index.ts'), 'export function register(_: unknown): void {}\n', { mode: 0o600 });
  await writeFile(join(home, 'plugins/plain.mjs'), 'export function register() {\n', { mode: 0o600 });
  await develop();
  await program!.says(/typed runs/);
  await program!.says(/plugins\/plain\.mjs:\d+(?::\d+)?: SyntaxError: .* \(plain, load\)/);
  const before = so();
  await writeFile(join(home, 'plugins/plain.mjs'), 'export function register() {}\n', { mode: 0o600 });
  await says(/plain runs/, before);

  const nowhere = await runProgram(['plugins', 'dev', 'nowhere'], { environment: { HOME: home, APP_HOME: join(place, 'other') }, folder: place });
  expect(nowhere).toMatchObject({
    code: 1,
    said: expect.stringMatching(/There is no plugin at .*nowhere, and none named .*\. Specify the folder or the file of the plugin\./),
  });
});
