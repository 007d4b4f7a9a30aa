// Checks that the variable table lists each variable of these built-in groups, with a test that sets it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources, root } from '../../helpers/sources.ts';

const folders = [
  ...['builtins/turn/', 'builtins/tools/web/', 'builtins/tools/memory/', 'builtins/tools/vault/', 'builtins/tools/browser/', 'builtins/tools/subagents/'],
];

const rows = readFileSync(join(root, 'docs/reference/variables.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, name, change, file] = /^\| `([A-Z0-9_]+)`\s*\| (.+?)\s*\| `(test\/\S+)`\s*\|$/.exec(line) ?? [];
    return name === undefined || change === undefined || file === undefined ? [] : [{ name, change, file }];
  });

test('the table lists every variable of tools, memory and context', () => {
  const declared = readSources('builtins')
    .filter(({ path }) => folders.some((folder) => path.startsWith(folder)))
    .flatMap(({ text }) => [...text.matchAll(/\benv: '([A-Z0-9_]+)'/g)].map(([, name]) => name as string));
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});

test('the test named in each row exists and sets the variable', () => {
  const sets = ({ name, file }: { readonly name: string; readonly file: string }): boolean =>
    existsSync(join(root, file)) && new RegExp(`\\b${name}\\b['"\`]?\\]?\\s*[:=,]`).test(readFileSync(join(root, file), 'utf8'));
  const faults = rows.filter((row) => !sets(row));
  expect(faults).toEqual([]);
});
