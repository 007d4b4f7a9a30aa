// Tests the code store of viewers: guessing, use and expiry.
import { expect, test, vi } from 'vitest';
import { createCodeStore, type CodeStore } from '../../../builtins/desktop/remote/codes/code-store.ts';

let now = 0;
const lifeMs = 1_000_000;
const open = (): CodeStore => createCodeStore({ now: () => now, lifeMs: () => lifeMs, onChange: () => undefined });
const view = { by: 'host', role: 'view', transport: 'lan' } as const;
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const randomCode = (): string => Array.from({ length: 8 }, () => signs[Math.floor(Math.random() * 32)]).join('');
const hits = (book: CodeStore, text: string, address: string): boolean => 'token' in book.redeem(text, { address });

test('opens nothing for a million random codes and invalidates a code after five wrong attempts', () => {
  const book = open();
  const { code, signal } = book.open(view);
  let opened = 0;
  for (let tried = 0; tried < 1_000_000; tried++) {
    if (tried === 5) expect(signal.aborted).toBe(true);
    // Many networks, so that the limit per code applies too.
    if (hits(book, randomCode(), `10.0.${(tried >> 8) % 20}.${tried & 255}`)) opened++;
  }
  expect(opened).toBe(0);
  expect(hits(book, code, '192.168.1.9')).toBe(false);
  expect(book.list()).toEqual([]);
});

test('keeps joined viewers of an invalidated code and admits no others', () => {
  const book = open();
  const { code } = book.open(view);
  const joined = book.redeem(code, { address: '10.0.0.1', name: 'Ann' });
  expect(joined).toMatchObject({ token: expect.stringMatching(/^[0-9a-f]{64}$/) });
  for (let tried = 0; tried < 5; tried++) expect(hits(book, randomCode(), '10.0.0.2')).toBe(false);
  expect(hits(book, code, '10.0.0.3')).toBe(false);
  expect(book.list()).toMatchObject([{ code, isShut: true, joined: 1 }]);
  expect('token' in joined && book.identify(joined.token)).toMatchObject({ name: 'Ann', code: { code } });
});

test('blocks an address after five wrong attempts without invalidating the next code', () => {
  const book = open();
  book.open(view);
  for (let tried = 0; tried < 9; tried++) hits(book, randomCode(), '10.0.0.2');
  const { code } = book.open(view);
  for (let tried = 0; tried < 9; tried++) expect(hits(book, randomCode(), '10.0.0.2')).toBe(false);
  expect(hits(book, code, '10.0.0.2')).toBe(false);
  expect(hits(book, code, '10.0.0.3')).toBe(true);
});

test('delays from the third wrong attempt, increasingly', () => {
  const book = open();
  book.open(view);
  const waits = Array.from({ length: 6 }, () => book.redeem(randomCode(), { address: '10.0.0.2' })).map((one) => ('delayMs' in one ? one.delayMs : -1));
  expect(waits).toEqual([0, 0, 1_000, 2_000, 4_000, 4_000]);
});

test('expires a code and its tokens by the monotonic clock', () => {
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

test('admits one viewer with a single-use code, ignoring case, blanks and dashes', () => {
  const book = open();
  const { code } = book.open({ ...view, isSingleUse: true });
  expect(hits(book, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `, '10.0.0.1')).toBe(true);
  expect(hits(book, code, '10.0.0.1')).toBe(false);
});

test('rejects a code on a transport it was not issued for', () => {
  const book = open();
  const cloud = book.open({ ...view, transport: 'cloud' });
  const lan = book.open(view);
  expect(hits(book, cloud.code, '10.0.0.1')).toBe(false);
  expect(book.admit(lan.code)).toBeUndefined();
  expect(book.admit(cloud.code)).toMatchObject({ code: { code: cloud.code } });
});
