// The codes of guests: guessing, using them up, running out.
import { expect, test, vi } from 'vitest';
import { createCodeStore, type CodeStore } from '../../../builtins/desktop/remote/codes/code-store.ts';

let now = 0;
const lifeMs = 1_000_000;
const open = (): CodeStore => createCodeStore({ now: () => now, lifeMs: () => lifeMs, onChange: () => undefined });
const view = { by: 'host', role: 'view', transport: 'lan' } as const;
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const randomCode = (): string => Array.from({ length: 8 }, () => signs[Math.floor(Math.random() * 32)]).join('');
const hits = (book: CodeStore, text: string, address: string): boolean => 'token' in book.redeem(text, { address });

test('a million random codes open nothing, and five wrong ones burn the code', () => {
  const book = open();
  const { code, signal } = book.open(view);
  let opened = 0;
  for (let tried = 0; tried < 1_000_000; tried++) {
    if (tried === 5) expect(signal.aborted).toBe(true);
    // From many networks, so that the code itself counts them, too.
    if (hits(book, randomCode(), `10.0.${(tried >> 8) % 20}.${tried & 255}`)) opened++;
  }
  expect(opened).toBe(0);
  expect(hits(book, code, '192.168.1.9')).toBe(false);
  expect(book.list()).toEqual([]);
});

test('a burnt code keeps who is in, and lets nobody else in', () => {
  const book = open();
  const { code } = book.open(view);
  const joined = book.redeem(code, { address: '10.0.0.1', name: 'Ann' });
  expect(joined).toMatchObject({ token: expect.stringMatching(/^[0-9a-f]{64}$/) });
  for (let tried = 0; tried < 5; tried++) expect(hits(book, randomCode(), '10.0.0.2')).toBe(false);
  expect(hits(book, code, '10.0.0.3')).toBe(false);
  expect(book.list()).toMatchObject([{ code, isShut: true, joined: 1 }]);
  expect('token' in joined && book.identify(joined.token)).toMatchObject({ name: 'Ann', code: { code } });
});

test('an address that was wrong five times does not burn the next code, and is not heard with a right one', () => {
  const book = open();
  book.open(view);
  for (let tried = 0; tried < 9; tried++) hits(book, randomCode(), '10.0.0.2');
  const { code } = book.open(view);
  for (let tried = 0; tried < 9; tried++) expect(hits(book, randomCode(), '10.0.0.2')).toBe(false);
  expect(hits(book, code, '10.0.0.2')).toBe(false);
  expect(hits(book, code, '10.0.0.3')).toBe(true);
});

test('the third wrong try waits, and each one after it longer', () => {
  const book = open();
  book.open(view);
  const waits = Array.from({ length: 6 }, () => book.redeem(randomCode(), { address: '10.0.0.2' })).map((one) => ('delayMs' in one ? one.delayMs : -1));
  expect(waits).toEqual([0, 0, 1_000, 2_000, 4_000, 4_000]);
});

test('a code runs out by a clock that nobody sets, and its tokens with it', () => {
  const book = open();
  const { code, signal } = book.open(view);
  const joined = book.redeem(code, { address: '10.0.0.1' });
  const token = 'token' in joined ? joined.token : '';
  vi.spyOn(Date, 'now').mockReturnValue(0);
  expect(book.identify(token)).toBeDefined();
  now += lifeMs - 1;
  expect(book.identify(token)).toBeDefined();
  now += 1;
  expect(book.identify(token)).toBeUndefined();
  expect([signal.aborted, book.find(code)]).toEqual([true, undefined]);
  vi.restoreAllMocks();
});

test('a code for one lets one in; small letters, blanks and dashes count for nothing', () => {
  const book = open();
  const { code } = book.open({ ...view, isSingleUse: true });
  expect(hits(book, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `, '10.0.0.1')).toBe(true);
  expect(hits(book, code, '10.0.0.1')).toBe(false);
});

test('a code of another way opens nothing in the local network, and the other way round', () => {
  const book = open();
  const cloud = book.open({ ...view, transport: 'cloud' });
  const lan = book.open(view);
  expect(hits(book, cloud.code, '10.0.0.1')).toBe(false);
  expect(book.admit(lan.code)).toBeUndefined();
  expect(book.admit(cloud.code)).toMatchObject({ code: { code: cloud.code } });
});
