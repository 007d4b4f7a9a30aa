// Tests the pure functions of the search and account pages and the shared formats.
import { expect, test } from 'vitest';
import { licenseWords, offersOf } from '../../../../builtins/account/hub/ui/entitlement-list.ts';
import { qrPath } from '../../../../builtins/account/pairing/ui/qr-path.ts';
import { groupHits, markMatches } from '../../../../builtins/clients/web-ui/app/pages/search/search-model.ts';
import { detailsOf, explainError } from '../../../../builtins/clients/web-ui/app/kit/page/explain-error.ts';
import { countOf, formatCost, formatCount, formatShort, formatTime } from '../../../../builtins/clients/web-ui/app/kit/page/format.ts';
import { isPlaceholderSite, isWebAddress } from '../../../../builtins/clients/web-ui/app/kit/web-address.ts';

const hit = (chatId: string, entryId: string) => ({ chatId, entryId, at: '2026-11-21T07:00:00Z', excerpt: '' });
const marked = (text: string, query: string): string =>
  markMatches(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test('groups hits by chat in the order of the first hit', () => {
  expect(groupHits([hit('b', '1'), hit('a', '2'), hit('b', '3')]).map(({ chatId, hits }) => [chatId, hits.map((one) => one.entryId)])).toEqual([
    ['b', ['1', '3']],
    ['a', ['2']],
  ]);
});

test('highlights every match regardless of case and white space, with the query as text, not as a pattern', () => {
  expect(marked('Notes and notes', 'notes')).toBe('[Notes] and [notes]');
  expect(marked('two  words here', ' two words ')).toBe('[two  words] here');
  expect(marked('Größe ÄRGER', 'ärger')).toBe('Größe [ÄRGER]');
  expect(marked('nothing', 'zzz')).toBe('nothing');
  expect(marked('The heron stands in the reeds', 'heron reeds')).toBe('The [heron] stands in the [reeds]');
  expect(marked('in the reeds, the heron', '"the heron"')).toBe('in the reeds, [the heron]');
  expect(marked('a.b (c) [d] a+b', '.b (c)')).toBe('a[.b (c)] [d] a+b');
  expect(marked('<b>x</b> \\d', '\\d')).toBe('<b>x</b> [\\d]');
  for (const query of ['(', '[', '*', '\\', '{2}', '-', '/', '^$|', '']) expect(marked('plain', query)).toBe('plain');
});

test('lists the features of each tier and unknown features last', () => {
  const offers = offersOf(['pro.cloud_sync', 'acme.extra']);
  expect(offers.map((offer) => offer.tier)).toEqual(['pro', 'team', 'enterprise', 'other']);
  expect(offers[0]?.items.filter((item) => item.isUnlocked).map((item) => item.id)).toEqual(['pro.cloud_sync']);
  expect(offers[3]?.items).toMatchObject([{ id: 'acme.extra', isUnlocked: true }]);
  expect(offersOf([])).toHaveLength(3);
  expect(licenseWords('expired').tone).toBe('bad');
  expect(licenseWords('something new')).toEqual({ text: 'something new', tone: '' });
});

test('accepts only web addresses and detects the placeholder address', () => {
  expect(isPlaceholderSite('https://hub.example.invalid/connect')).toBe(true);
  expect(isPlaceholderSite('https://hub.example.org/connect')).toBe(false);
  expect(isWebAddress('https://hub.example.org')).toBe(true);
  expect(isWebAddress('javascript:alert(1)')).toBe(false);
  expect(isWebAddress('nonsense')).toBe(false);
});

test('merges adjacent dark modules of a QR code into one rectangle', () => {
  expect(
    qrPath([
      [true, true, false, true],
      [false, false, false, false],
      [false, true, true, true],
    ]),
  ).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z');
});

test('converts errors into sentences', () => {
  expect(explainError(Object.assign(new Error('fetch failed'), { code: 'network' }))).toContain('does not respond');
  expect(explainError(Object.assign(new Error('x'), { code: 'turn_in_progress' }))).toContain('A turn is running');
  expect(explainError(new Error('The server said why.'))).toBe('The server said why.');
  expect(explainError(undefined)).toBe('Something went wrong.');
  expect(detailsOf(undefined)).toEqual({});
});

test('formats numbers, money and times', () => {
  expect(formatCount(1234567)).toBe('1,234,567');
  expect(formatShort(12_345)).toBe('12.3K');
  expect([formatCost(12.345), formatCost(0.0042), formatCost(0)]).toEqual(['$12.35', '$0.0042', '$0.00']);
  expect(countOf(1, 'plugin')).toBe('1 plugin');
  expect(countOf(0, 'family', 'families')).toBe('0 families');
  expect(formatTime('not a time')).toBe('not a time');
});
