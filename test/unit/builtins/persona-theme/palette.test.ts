// Tests random light and dark themes: readable text, and only listed choices and colours.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Colours } from '../../../../builtins/persona/persona-theme/contract.ts';
import { groundNames, inkNames, paletteOf } from '../../../../builtins/persona/persona-theme/palette/palette.ts';
import { colourOf, readTheme, tidyTheme } from '../../../../builtins/persona/persona-theme/read-theme.ts';
import { densities, fonts, moods, shapes, type UiTheme } from '../../../../builtins/persona/persona-theme/theme-schema.ts';
import { runs, seed } from '../../../helpers/dice.ts';
import { root } from '../../../helpers/sources.ts';

/** Contrast ratio as defined by WCAG 2, computed independently from the hex digits. */
function contrast(a = '', b = ''): number {
  const [one = 0, other = 0] = [a, b].map((hex) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(one, other) / Math.min(one, other);
}

function faultsOf(colours: Colours): string[] {
  const pairs = [
    ...inkNames.flatMap((ink) => groundNames.map((ground) => [ink, ground, 4.5] as const)),
    ...groundNames.map((ground) => ['border-strong', ground, 3] as const),
    ['accent-text', 'accent', 4.5] as const,
  ];
  return pairs.flatMap(([ink, ground, least]) => {
    const found = contrast(colours[ink], colours[ground]);
    return found >= least ? [] : [`${ink} ${colours[ink]} on ${ground} ${colours[ground]}: ${found.toFixed(2)}`];
  });
}

const hex = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 0xffffff }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0xffffff, 0xffff00, 0x00ffff, 0xff00ff, 0xff0000, 0x00ff00, 0x0000ff, 0x808080, 0x010101) },
);
const hexText = hex.map((number) => `#${number.toString(16).padStart(6, '0')}`);
const themes: fc.Arbitrary<UiTheme> = fc.record({
  mood: fc.constantFrom(...moods),
  shape: fc.constantFrom(...shapes),
  density: fc.constantFrom(...densities),
  font: fc.constantFrom(...fonts),
  accent: hexText,
  ground: hexText,
});
const plain: UiTheme = { mood: 'calm', shape: 'soft', density: 'normal', font: 'sans', accent: '#2f57c9', ground: '#808080' };

test('random themes: text at 4.5 : 1 and controls at 3 : 1 on every ground of the page, by day and in dark mode', () => {
  const faults = new Map<string, readonly string[]>();
  for (const theme of fc.sample(themes, runs(10_000))) {
    const { light, dark } = paletteOf(theme);
    const found = [...faultsOf(light), ...faultsOf(dark)];
    if (found.length > 0) faults.set(JSON.stringify(theme), found);
  }
  expect([...faults].slice(0, 5)).toEqual([]);
}, 60_000);

test('defines every colour of the page as six hex digits and uses only known measures', () => {
  const tokens = readFileSync(join(root, 'builtins/clients/web-ui/app/kit/tokens.css'), 'utf8');
  const coloured = [...tokens.matchAll(/--([\w-]+): light-dark\(#/g)].map(([, name]) => name);
  for (const theme of fc.sample(themes, { seed, numRuns: 200 })) {
    const { light, dark, measures } = paletteOf(theme);
    expect(Object.keys(light).sort()).toEqual(coloured.toSorted());
    expect(Object.keys(dark).sort()).toEqual(coloured.toSorted());
    expect([...Object.values(light), ...Object.values(dark)].filter((value) => !/^#[0-9a-f]{6}$/.test(value))).toEqual([]);
    expect(Object.keys(measures).filter((name) => !tokens.includes(`--${name}: `))).toEqual([]);
  }
});

test('uses only text colours for text and only surface colours for backgrounds in every stylesheet', () => {
  const inks = new Set<string>([...inkNames, 'accent-text', 'border-strong']);
  // `surface-block` and `surface-select` are mixed from grounds.
  // Some hold no text, others are filled with the accent colour or dim the content behind them.
  const others = new Set(['accent', 'accent-text', 'border', 'border-strong', 'veil', 'bad', 'code-number', 'warn-dot', 'surface-block', 'surface-select']);
  const files = readdirSync(join(root, 'builtins'), { recursive: true, encoding: 'utf8' }).filter((file) => /(web-ui[\\/]app|[\\/]ui)[\\/].*\.css$/.test(file));
  const faults = files.flatMap((file) => {
    const css = readFileSync(join(root, 'builtins', file), 'utf8');
    const used = (property: string): string[] => [...css.matchAll(new RegExp(`[\\s;{]${property}: var\\(--([\\w-]+)\\);`, 'g'))].map(([, name = '']) => name);
    const isColour = (name: string): boolean => /^(surface|text|accent|good|warn|bad|border|code)/.test(name);
    return [
      ...used('color').filter((name) => isColour(name) && !inks.has(name)),
      ...[...used('background'), ...used('background-color')].filter(
        (name) => isColour(name) && !others.has(name) && !groundNames.some((ground) => ground === name),
      ),
    ].map((name) => `${file}: ${name}`);
  });
  expect(files.length).toBeGreaterThan(40);
  expect(faults).toEqual([]);
});

test('returns the same palette for the same theme and another one for another mood, colour or shape', () => {
  expect(paletteOf(plain)).toEqual(paletteOf({ ...plain }));
  expect(paletteOf({ ...plain, mood: 'dreamy', ground: '#8040ff' }).light.surface).not.toBe(paletteOf({ ...plain, ground: '#8040ff' }).light.surface);
  expect(paletteOf({ ...plain, accent: '#c92f57' }).dark.accent).not.toBe(paletteOf(plain).dark.accent);
  expect(paletteOf({ ...plain, shape: 'sharp' }).measures['radius']).toBe('3px');
});

const hostile: readonly unknown[] = [
  '<script>alert(1)</script>',
  '#2f57c9<img src=x onerror=alert(1)>',
  'red',
  'rgb(1, 2, 3)',
  'url(https://example.org/a.png)',
  'var(--text)',
  '#2f57c9; } body { display: none',
  'expression(alert(1))',
  '#12345',
  '#1234567',
  '#gggggg',
  '🦊',
  '＃2f57c9',
  '#２f57c9',
  '',
  ' ',
  null,
  undefined,
  0x2f57c9,
  ['#2f57c9'],
  { toString: () => '#2f57c9' },
  'a'.repeat(1_000_000),
];

test.each(hostile.map((value) => [String(value).slice(0, 60), value]))('rejects %s as a colour', (_, value) => {
  expect(colourOf(value)).toBeUndefined();
  expect(readTheme({ ...plain, accent: value })).toBeUndefined();
  expect(readTheme({ ...plain, font: value })).toBeUndefined();
  expect(tidyTheme({ accent: value, ground: value, mood: value, font: value }, plain)).toBeUndefined();
  expect(tidyTheme({ accent: value, mood: 'warm' }, plain)).toEqual({ ...plain, mood: 'warm' });
});

test('normalizes colours and choices of a model, and rejects an incomplete or extended theme', () => {
  expect(tidyTheme({ accent: '#F0A', ground: ' #ABCDEF ', mood: ' Warm', shape: 'oval', css: 'body{}' }, plain)).toEqual({
    ...plain,
    accent: '#ff00aa',
    ground: '#abcdef',
    mood: 'warm',
  });
  expect(readTheme(plain)).toEqual(plain);
  expect(readTheme({ ...plain, accent: '#F0A' })).toBeUndefined();
  expect(readTheme({ mood: 'calm' })).toBeUndefined();
  expect(readTheme({ ...plain, css: 'body { display: none }' })).toBeUndefined();
  expect(readTheme({ ...plain, mood: 'constructor' })).toBeUndefined();
  for (const value of [null, [], 'calm', 1, JSON.parse('{"__proto__": {"mood": "calm"}}')])
    expect([readTheme(value), tidyTheme(value, plain)]).toEqual([undefined, undefined]);
});
