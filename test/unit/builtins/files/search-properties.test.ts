// Property tests: the threaded search with a prefilter finds the same lines as a line-by-line search.
import { link, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { requiredText } from '../../../../builtins/tools/files/search/required-text.ts';
import { openToolBench } from './tool-bench.ts';
import { runs } from '../../../helpers/dice.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const bench = useEach(() => openToolBench({ modules: { files } }));

// A small alphabet, so that patterns often match. It includes characters that must not fold to ASCII, and multi-byte ones.
const sign = fc.constantFrom('a', 'b', 'B', 'k', 's', ' ', '.', '-', 'é', 'ſ', '\u212A', 'İ', '日', '😀');
const line = fc.string({ unit: sign, maxLength: 12 });
const plain = fc.string({ unit: fc.constantFrom('a', 'b', 'k', 's', ' ', 'é', '日'), minLength: 1, maxLength: 3 });
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('piece'), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((alternatives) => alternatives.map((pieces) => pieces.join('')).join('|')),
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    fc.constantFrom('.', '[ab]', '[^a]', '\\w', '\\s', '\\b', '^', '$', '\\.', '\\x61', '\\u0062', 'B'),
    fc.tuple(plain, fc.constantFrom('?', '*', '+', '{0,2}', '{2}', '+?')).map(([text, count]) => `${text}${count}`),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<!', '(?<=', '(?<name>'), tie('pattern'), fc.constantFrom('', '?', '+', '*', '{2,}'))
      .map(([open, inside, count]) => `${open}${inside})${/^\(\?[=!<][^n]?/.test(open) && !open.includes('name') ? '' : count}`),
  ),
}));
const flags = fc.constantFrom('', 'i');

function expressionOf(source: string, flag: string): RegExp | undefined {
  try {
    return new RegExp(source, flag);
  } catch {
    return undefined; // duplicate group name
  }
}

test('every match contains the required text of its pattern', () => {
  const size = runs(5000);
  let known = 0;
  fc.assert(
    fc.property(pattern, flags, fc.array(line, { minLength: 1, maxLength: 20 }), (source, flag, lines) => {
      const expression = expressionOf(source, flag);
      const required = expression && requiredText(source);
      if (!expression || required === undefined) return;
      known++;
      const text = new RegExp(required, flag);
      for (const one of lines) if (expression.test(one)) expect(text.test(Buffer.from(one).toString('latin1')), `/${source}/${flag} in "${one}"`).toBe(true);
    }),
    size,
  );
  expect(known).toBeGreaterThan((size.numRuns ?? 0) / 5);
});

test('the required text of a pattern is its longest literal', () => {
  expect(requiredText('function\\s+\\w+Of')).toBe('function');
  expect(requiredText('(?:get|set)Name')).toBe('Name');
  expect(requiredText('a(?:getter|setter)b')).toBe('getter|setter');
  expect(requiredText('x*y?|z')).toBeUndefined();
  expect(requiredText('\\d+')).toBeUndefined();
  expect(requiredText('a\\.b')).toBe('a\\.b');
});

/** Contents in each encoding, and binary bytes. */
const content = fc
  .tuple(
    fc.array(line, { maxLength: 6 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
    fc.constantFrom('utf8', 'utf8', 'utf8', 'mark', 'utf16le', 'latin1', 'binary' as const),
  )
  .map(([lines, end, isEnded, way]) => {
    const text = lines.join(end) + (isEnded ? end : '');
    if (way === 'mark') return Buffer.from(`\uFEFF${text}`);
    if (way === 'utf16le') return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    if (way === 'binary') return Buffer.concat([Buffer.from([1, 0, 0, 2]), Buffer.from(text)]);
    // `latin1` would encode other characters as one byte, which may be zero.
    if (way === 'latin1') return Buffer.from(text.replace(/[^\x20-\xff\r\n]/g, 'ÿ'), 'latin1');
    return Buffer.from(text, way as BufferEncoding);
  });
const tree = fc.dictionary(fc.stringMatching(/^([ab]{1,2}[-.]?\/){0,2}[ab]{1,2}[-.]?[ab]$/), content, { minKeys: 1, maxKeys: 12 });

function textIn(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function expected(source: string, expression: RegExp, contents: Readonly<Record<string, Buffer>>): string {
  const blocks: string[] = [];
  let skipped = 0;
  for (const [path, bytes] of Object.entries(contents).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const text = textIn(bytes);
    if (text === undefined) {
      skipped++;
      continue;
    }
    const lines = text.split('\n').map((one) => one.replace(/\r$/, ''));
    if (lines.at(-1) === '' && text !== '' && /\n$/.test(text)) lines.pop();
    if (text === '') continue;
    const hits = lines.flatMap((one, index) => (expression.test(one) ? [{ number: index + 1, one }] : []));
    const width = String(hits.at(-1)?.number ?? 0).length;
    if (hits.length > 0) blocks.push([path, ...hits.map(({ number, one }) => `  ${String(number).padStart(width)}: ${one}`)].join('\n'));
  }
  const body = blocks.length === 0 ? `No line matches ${source}.` : blocks.join('\n');
  return skipped === 0 ? body : `${body}\n\n[${skipped} binary or large files were skipped]`;
}

test('finds the same lines as a line-by-line search for any tree and pattern', { timeout: 120_000 }, async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(tree, pattern, fc.boolean(), async (contents, source, ignoreCase) => {
      const expression = expressionOf(source, ignoreCase ? 'i' : '');
      // One name cannot be a file and a folder.
      const paths = Object.keys(contents);
      if (!expression || paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)))) return;
      const folder = `r${round++}`;
      for (const [path, bytes] of Object.entries(contents)) {
        await mkdir(dirname(join(bench.workspace, folder, path)), { recursive: true });
        await writeFile(join(bench.workspace, folder, path), bytes);
      }
      const found = await bench.output('grep_files', { pattern: source, path: folder, ignoreCase, limit: 2000 });
      expect(found.replaceAll(`${folder}/`, '')).toBe(expected(source, expression, contents));
    }),
    runs(60),
  );
});

test('returns results in path order up to the limit, and counts skipped files up to there', async () => {
  const names = Array.from({ length: 1200 }, (_, index) => `${'pqr'[index % 3]}${index % 7 === 0 ? '-x' : ''}/f${String(index).padStart(4, '0')}.txt`);
  await mkdir(join(bench.workspace, '..', 'elsewhere'));
  for (const [index, name] of names.entries()) {
    await mkdir(dirname(join(bench.workspace, name)), { recursive: true });
    if (index % 10 === 3) await writeFile(join(bench.workspace, name), 'needle\0');
    else await writeFile(join(bench.workspace, name), `needle ${index}\nother\nneedle again\nneedle`);
    if (index % 10 === 4) await link(join(bench.workspace, name), join(bench.workspace, '..', 'elsewhere', `${index}`));
  }
  const sorted = names.map((name, index) => ({ name, index })).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const limit of [1, 2, 500, 2000]) {
    const blocks: string[] = [];
    let [left, skipped, linked] = [limit, 0, 0];
    for (const { name, index } of sorted) {
      if (left === 0) break;
      if (index % 10 === 3) skipped++;
      else if (index % 10 === 4) linked++;
      else {
        const hits = [`  1: needle ${index}`, '  3: needle again', '  4: needle'].slice(0, left);
        left -= hits.length;
        blocks.push([name, ...hits].join('\n'));
      }
    }
    const found = await bench.output('grep_files', { pattern: 'needle', limit });
    const body = blocks.join('\n');
    expect(found.slice(0, Math.min(body.length, 40_000))).toBe(body.slice(0, 40_000));
    expect(found).toContain('more matches');
    if (skipped > 0) expect(found).toContain(`${skipped} binary or large files were skipped`);
    if (linked > 0) expect(found).toContain(`${linked} hard links were skipped`);
    expect(await bench.output('grep_files', { pattern: 'needle', limit })).toBe(found);
  }
  expect(await bench.output('grep_files', { pattern: 'needle', limit: 1, context: 2, path: sorted[0]!.name })).toContain('- needle again');
});
