// Tests the limits of the secret scan: a call that cannot be scanned in full requires approval and names the limit.
import { createHash } from 'node:crypto';
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Registry } from 'agent-harness/kernel';
import { startHarness, useAll, useFolder } from '../../../helpers/in-process.ts';
import { judgeCall } from '../../../helpers/judge-call.ts';

const post = {
  register(registry: Registry) {
    const input = { type: 'object', properties: { q: { type: 'string' } }, additionalProperties: true };
    registry.add('tool', {
      ...{ name: 'post_lookup', description: 'Looks something up.', input, effects: ['read', 'network'], sendsArguments: true },
      run: () => 'Nothing.',
    });
  },
};
const other = useFolder('harness-other-');
const harness = useAll(() => startHarness({ builtins: ['origins', 'flow-rules'], modules: { post: post as never } }));
beforeAll(async () => {
  await put('.env', 'DB_PASSWORD=tr0ub4dor&3x\n');
});

async function put(path: string, text: string | Buffer): Promise<void> {
  const full = join(harness.workspace, path);
  await mkdir(join(full, '..'), { recursive: true });
  await writeFile(full, text);
}
const judge = (args: Record<string, unknown>) => judgeCall(harness, 'post_lookup', args);
const nested = (depth: number): object => Array.from({ length: depth }).reduce<object>((inner) => ({ a: inner }), { a: 'flour' });
const fields = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'flour']));
const prose = (characters: number): string => 'flour, eggs and milk. '.repeat(characters / 22 + 1).slice(0, characters);
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `KEY_${at}=v${at}x${at * 7_919}w`).join('\n');
const layers = (count: number): string => Array.from({ length: count }).reduce<string>((text) => Buffer.from(text).toString('base64'), 'flour, eggs and milk');

test.each([
  [
    'depth',
    { filters: nested(60) },
    { filters: nested(70) },
    'The arguments of the call are nested more than 64 levels deep, so they cannot be searched for secrets.',
  ],
  ['fields', { filters: fields(900) }, { filters: fields(2_100) }, 'The call has more than 2000 texts, so it cannot be searched for secrets.'],
  ['list items', { list: Array(1_900).fill(1) }, { list: Array(2_100).fill(1) }, 'The call has more than 2000 texts, so it cannot be searched for secrets.'],
  ['characters', { q: prose(90_000) }, { q: prose(100_001) }, 'The call has 100001 characters; those of at most 100000 can be searched for secrets.'],
  ['characters of all fields', { a: prose(45_000), b: prose(45_000) }, { a: prose(60_000), b: prose(60_000) }, /^The call has 120\d{3} characters/],
  ['encoding layers', { q: layers(8) }, { q: layers(9) }, 'A text of the call cannot be searched for secrets: it is encoded in more than 8 layers.'],
])('requires approval above the limit of %s, but not below it', async (_, within, beyond, reason) => {
  expect(await judge(within)).toBeUndefined();
  expect(await judge(beyond)).toMatch(reason);
});

test('requires approval for a call with too many possible decodings', async () => {
  const random = Buffer.concat(Array.from({ length: 2_200 }, (_, at) => createHash('sha256').update(String(at)).digest())).toString('base64');
  expect(await judge({ q: random })).toMatch(
    /^A text of the call cannot be searched for secrets: it (can be decoded in too many ways|is encoded in more than 8 layers)\.$/,
  );
});

test('an allow rule and a deny rule for secrets also apply to a call that cannot be scanned', async () => {
  const choose = (action: string) => harness.call('POST', `/api/views/flow-rules/actions/${action}`, { row: 'secret-address' });
  await choose('allow');
  expect(await judge({ filters: nested(70) })).toBeUndefined();
  await choose('deny');
  expect(await judge({ filters: nested(70) })).toMatch(/^A rule forbids this call of post_lookup: The arguments of the call are nested/);
  await choose('ask');
});

test.each([
  ['a package of a monorepo', 'apps/web/.env', 'WEB_TOKEN=q7w8e9r0t1\n', 'q7w8e9r0t1'],
  ['deep folders', 'a/b/c/d/e/f/g/h/secrets.yaml', 'key: z9x8c7v6b5\n', 'z9x8c7v6b5'],
  ['a hidden folder', '.config/app/.env.local', 'LOCAL_KEY=m1n2b3v4c5\n', 'm1n2b3v4c5'],
  ['an ignored folder', 'dist/server/.env', 'DIST_KEY=p0o9i8u7y6\n', 'p0o9i8u7y6'],
  ['a folder of other programs', 'vendor/tool/credentials.json', '{ "secret": "l1k2j3h4g5" }\n', 'l1k2j3h4g5'],
  ['a file in UTF-16', 'win/.env', Buffer.from('\ufeffWIN_KEY=a1s2d3f4g5\r\n', 'utf16le'), 'a1s2d3f4g5'],
  ['a long file', 'long/.env', `${lines(2_000)}\nLAST_KEY=h7j8k9l0q1\n`, 'h7j8k9l0q1'],
])('finds secrets in %s, also when the file is new', async (_, path, text, value) => {
  expect(await judge({ q: value })).toBeUndefined();
  await put(path, text);
  expect(await judge({ q: value })).toMatch(path);
});

test('finds secrets in a linked file and in a changed file', async () => {
  await put('shared/production', 'SHARED_KEY=u1i2o3p4a5\n');
  await symlink(join(harness.workspace, 'shared/production'), join(harness.workspace, 'shared/.env'));
  expect(await judge({ q: 'u1i2o3p4a5' })).toMatch('SHARED_KEY from shared/.env');
  await appendFile(join(harness.workspace, 'shared/production'), 'OTHER_KEY=y9t8r7e6w5\n');
  expect(await judge({ q: 'y9t8r7e6w5' })).toMatch('OTHER_KEY from shared/.env');
});

test('ignores examples, certificates, node_modules and .git', async () => {
  const line = 'MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ';
  await put('certs/ca.pem', `-----BEGIN CERTIFICATE-----\n${line}\n-----END CERTIFICATE-----\n`);
  await put('.env.example', 'API_KEY=put-your-key-here-77\n');
  await put('node_modules/pkg/.env', 'PKG_KEY=w1e2r3t4y5\n');
  await put('.git/credentials', 'n5b4v3c2x1\n');
  for (const q of [line, 'put-your-key-here-77', 'w1e2r3t4y5', 'n5b4v3c2x1']) expect(await judge({ q })).toBeUndefined();
});

test.each([
  ['a file of secrets that is too large to read', Buffer.alloc(4_000_001, 'a'), 'a file of secrets of more than 4 MB, data/tokens.csv'],
  ['more secrets than the limit', lines(10_001), 'more than 10000 secrets'],
])('with %s, every call requires approval until the file is emptied', async (_, text, limit) => {
  await put('data/tokens.csv', text);
  expect(await judge({ q: 'flour' })).toBe(`Not all secrets are known: the workspace has ${limit}.`);
  await put('data/tokens.csv', '');
  expect(await judge({ q: 'flour' })).toBeUndefined();
});

test('scans a file that a call names, also through links and URLs', async () => {
  await writeFile(join(other, 'id_rsa'), 'cGxhaW4ga2V5IG9mIHRoZSB0ZXN0\n');
  await symlink(join(other, 'id_rsa'), join(harness.workspace, 'picture.png'));
  await writeFile(join(other, 'config'), 'token: ghp_0123456789abcdefghij\n');
  await put('src/config.ts', "export const key = 'sk_live_51HqLyjWDarjtT1zdp7dc';\n");
  await put('copied', Buffer.from('tr0ub4dor&3x').toString('base64'));
  await put('notes.md', 'Flour and eggs.\n');
  await put('large.txt', 'a'.repeat(256_001));
  expect(await judge({ q: 'picture.png' })).toBe('The call contains a secret from picture.png, by its name.');
  expect(await judge({ q: join(other, 'config') })).toMatch(/^The call contains a secret from .*config, in the file /);
  expect(await judge({ q: 'src/config.ts' })).toBe('The call contains a secret from src/config.ts, in the file src/config.ts.');
  expect(await judge({ q: 'copied' })).toBe('The call contains DB_PASSWORD from .env, in the file copied.');
  expect(await judge({ q: 'file:///tmp/%2Eenv' })).toBe('The call contains a secret from /tmp/.env, by its name.');
  expect(await judge({ q: 'large.txt' })).toBe('The file large.txt has more than 256 kB, so it is not searched for secrets.');
  expect(await judge({ q: 'notes.md' })).toBeUndefined();
});
