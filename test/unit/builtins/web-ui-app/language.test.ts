// Tests translated messages: values, plurals, tables, fallbacks and language selection.
import { afterEach, expect, test } from 'vitest';
import { matchLanguage, nameOfLanguage, isRightToLeft } from '../../../../builtins/clients/web-ui/app/kit/language.ts';
import {
  formatClock,
  formatCount,
  formatDate,
  formatDecimal,
  formatLongServerDay,
  formatPercent,
} from '../../../../builtins/clients/web-ui/app/kit/page/format.ts';
import { localeNow, speak, t, table, tn } from '../../../../builtins/clients/web-ui/app/kit/t.ts';
import {
  amount,
  firstOf,
  inSentence,
  listOf,
  money,
  pathText,
  quoted,
  rowOf,
  shortPath,
  splitList,
  timeAgo,
} from '../../../../builtins/clients/web-ui/app/kit/short-texts.ts';

afterEach(() => speak());

test('formats English without messages: fills in values, hides translator notes, and keeps missing placeholders', () => {
  expect([
    t('Signed in as {name}', { name: '{name} $&' }),
    t('Open##state'),
    t('{who} left'),
    tn(1, 'One file', '{count} files'),
    tn(1_234, 'One file', '{count} files'),
  ]).toEqual(['Signed in as {name} $&', 'Open', '{who} left', 'One file', '1,234 files']);
});

test('uses the word order and plurals of a language and falls back to English', () => {
  const arabic = { zero: 'لا ملفات', one: 'ملف', two: 'ملفان', few: '{count} ملفات', many: '{count} ملفًا', other: '{count} ملف' };
  speak({ locale: 'ar', messages: { '{count} file': arabic, '{a} then {b}': '{b} ← {a}', 'Open##state': 'مفتوح' } });
  expect(localeNow()).toBe('ar');
  expect([0, 1, 2, 3, 11, 100].map((count) => tn(count, '{count} file', '{count} files').replace(/[\d٠-٩]+/, 'N'))).toEqual([
    ...['لا ملفات', 'ملف', 'ملفان', 'N ملفات', 'N ملفًا', 'N ملف'],
  ]);
  expect([t('{a} then {b}', { a: 1, b: 2 }), t('Open##state'), t('Nobody said this'), t('constructor'), tn(2, '{count} hit', '{count} hits')]).toEqual([
    ...['2 ← 1', 'مفتوح', 'Nobody said this', 'constructor'],
    expect.stringMatching(/hits$/),
  ]);
});

test('translates only the texts of a table and does so on each access', () => {
  const states = table({ ok: 'Done', failed: 'Failed' } as const);
  const themes = table([{ name: 'dark', label: 'Dark', keys: ['Dark'] }]);
  const pairs = table([['Dark', 'Done']] as const);
  const roles = table([{ id: 'Done', name: 'Done' }], 'name');
  speak({ locale: 'de', messages: { Done: 'Fertig', Dark: 'Dunkel', dark: 'dunkel' } });
  expect({ ...states }).toEqual({ ok: 'Fertig', failed: 'Failed' });
  expect(themes.map(({ name, label, keys }) => [name, label, keys[0]])).toEqual([['dark', 'Dunkel', 'Dark']]);
  expect(pairs.map((pair) => [...pair])).toEqual([['Dunkel', 'Fertig']]);
  expect(roles.map(({ id, name }) => [id, name])).toEqual([['Done', 'Fertig']]);
  speak();
  expect(states.ok).toBe('Done');
});

test('formats numbers, money, dates and times by locale', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  const all = () => [formatCount(12_345), money(1.5), amount(12_400), formatDate('2026-11-14T12:00:00Z'), timeAgo('2026-11-23T11:55:00Z', now)];
  expect(all()).toEqual(['12,345', '$1.50', '12.4k', '14 Nov 2026', '5 min']);
  speak({ locale: 'de', messages: { '{count} min': { one: '{count} Min.', other: '{count} Min.' } } });
  expect(all().map((text) => text.replaceAll('\u00a0', ' '))).toEqual(['12.345', '1,50 $', '12.400', '14.11.2026', '5 Min.']);
});

test('formats percentages, clock times and server days by locale', () => {
  const noon = new Date(2026, 10, 14, 9, 5).toISOString();
  const all = () => [formatDecimal(0.44), formatPercent(0.425), formatClock(noon), formatClock('never'), formatLongServerDay('2026-11-14')];
  expect(all()).toEqual(['0.4', '43 %', '09:05', '', 'Sat, 14 Nov 2026']);
  speak({ locale: 'de', messages: {} });
  expect(all().map((text) => text.replaceAll('\u00a0', ' '))).toEqual(['0,4', '43 %', '09:05', '', 'Sa., 14. Nov. 2026']);
});

test('formats lists, quotes and labels in sentences by locale', () => {
  const all = () => [listOf(['a', 'b', 'c']), listOf(['a']), rowOf(['a', 'b']), firstOf(['a', 'b', 'c'], 2), quoted('a'), inSentence('Dark')];
  expect(all()).toEqual(['a, b and c', 'a', 'a, b', 'a, b and 1 more', '“a”', 'dark']);
  speak({ locale: 'de', messages: { '“{text}”': '„{text}“', '{shown} and {count} more': '{shown} und {count} weitere' } });
  expect(all()).toEqual(['a, b und c', 'a', 'a, b', 'a, b und 1 weitere', '„a“', 'Dark']);
  speak({ locale: 'ja', messages: { ', ##between the parts of a list': '、' } });
  expect(all().slice(0, 3)).toEqual(['a、b、c', 'a', 'a、b']);
});

test('splits a typed list at commas of any script', () => {
  expect(splitList(' work, später，二、ثلاثة، , five ')).toEqual(['work', 'später', '二', 'ثلاثة', 'five']);
});

test('isolates the direction of a path in right-to-left text', () => {
  expect([shortPath('/home/ada/.config'), pathText('')]).toEqual(['~/.config', '']);
  speak({ locale: 'ar', messages: {} });
  expect([shortPath('/home/ada/.config'), pathText('')]).toEqual(['\u2066~/.config\u2069', '']);
});

test('selects the first available browser language with its region, or English', () => {
  const there = ['en', 'de', 'zh', 'pt-BR'];
  const chosen = [['de-AT', 'en'], ['nl', 'zh-Hans-CN'], ['pt-BR'], ['pt-PT'], ['en-GB', 'de'], []].map((wanted) => matchLanguage(wanted, there));
  expect(chosen).toEqual([
    { tag: 'de', locale: 'de-AT' },
    { tag: 'zh', locale: 'zh-Hans-CN' },
    { tag: 'pt-BR', locale: 'pt-BR' },
    { tag: 'en', locale: 'en' },
    { tag: 'en', locale: 'en' },
    { tag: 'en', locale: 'en' },
  ]);
  expect([nameOfLanguage('fr'), isRightToLeft('ar'), isRightToLeft('ar-EG'), isRightToLeft('art')]).toEqual(['Français', true, true, false]);
});
