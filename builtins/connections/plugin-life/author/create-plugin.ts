// Creates a new plugin with ten lines of code, a test, and a recorded turn.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtFrom } from './build-types.ts';

export interface NewPlugin {
  /** kebab-case name. */
  readonly name: string;
  /** Absolute path of the parent folder. */
  readonly dir: string;
  readonly isTypeScript: boolean;
}

/** Resolves with the paths of the created files. Rejects with the code `EEXIST` if the folder exists. */
export async function writeNewPlugin({ name, dir, isTypeScript }: NewPlugin): Promise<readonly string[]> {
  const folder = join(dir, name);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o755 });
  const files = isTypeScript
    ? { 'index.ts': typed(name), 'index.mjs': builtFrom('index.ts', typed(name), plainOfTyped(name)), 'tsconfig.json': tsconfig }
    : { 'index.mjs': plain(name) };
  const all = { ...files, 'package.json': packageOf(name), 'index.test.mjs': testOf(name), 'greeting.turn.json': turnOf(name) };
  for (const [file, text] of Object.entries(all)) await writeFile(join(folder, file), text, { mode: 0o644, flag: 'wx' });
  return Object.keys(all).map((file) => join(folder, file));
}

const toolOf = (name: string): string => `${name.replaceAll('-', '_')}_greet`;

const plain = (name: string): string => `// ${name}: what it adds, in one sentence.

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
${toolIn(name, '/** @type {{ who: string }} */ { who }')}
}
`;

const head = (name: string): string => `// ${name}: what it adds, in one sentence.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/tools';

export const manifest = { name: '${name}' } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
`;

const typed = (name: string): string => `${head(name)}${toolIn(name, '{ who }: { who: string }')}
}
`;

const plainOfTyped = (name: string): string => `// ${name}: what it adds, in one sentence.

export const manifest = { name: '${name}' };

export function register(registry) {
${toolIn(name, '{ who }')}
}
`;

const toolIn = (name: string, parameter: string): string => `  registry.add('tool', {
    name: '${toolOf(name)}',
    description: 'Greets a person by name.',
    input: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'], additionalProperties: false },
    effects: ['read'],
    run: (${parameter}) => \`Hello, \${who}!\`,
  });`;

const packageOf = (name: string): string =>
  `${JSON.stringify({ name, version: '0.1.0', description: 'What it adds, in one sentence.', type: 'module', private: true }, undefined, 2)}\n`;

const tsconfig = `${JSON.stringify(
  {
    compilerOptions: {
      ...{ target: 'es2023', module: 'nodenext', strict: true, noEmit: true, erasableSyntaxOnly: true },
      ...{ verbatimModuleSyntax: true, allowImportingTsExtensions: true, skipLibCheck: true },
    },
    include: ['*.ts'],
  },
  undefined,
  2,
)}\n`;

const testOf = (name: string): string => `// What ${name} does, tried in a real server: app plugins test
import assert from 'node:assert/strict';
import test from 'node:test';
import { startWithPlugin } from 'agent-harness/testing';

const here = new URL('.', import.meta.url);

test('the tool greets by name', async (t) => {
  const server = await startWithPlugin(here);
  t.after(() => server.stop());
  assert.deepEqual(await server.tool('${toolOf(name)}', { who: 'Ada' }), { ok: true, output: 'Hello, Ada!' });
});

test('a recorded turn goes through it', async (t) => {
  const server = await startWithPlugin(here, { turns: 'greeting.turn.json' });
  t.after(() => server.stop());
  const { text, events } = await server.message('Greet Ada.');
  assert.equal(text, 'Ada is greeted.');
  assert.ok(events.some(({ output }) => output === 'Hello, Ada!'));
});
`;

const turnOf = (name: string): string =>
  `${JSON.stringify([{ toolCalls: [{ name: toolOf(name), args: { who: 'Ada' } }] }, { text: 'Ada is greeted.' }], undefined, 2)}\n`;
