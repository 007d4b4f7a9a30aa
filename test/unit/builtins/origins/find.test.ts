// What is found again in a text, and what is not, so that ordinary work asks about nothing.
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
