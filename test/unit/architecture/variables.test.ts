// The table of variables: each one that a built-in of these kinds declares stands there, with a test that sets it.
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

test('every variable of tools, memory and context stands in the table', () => {
  const declared = readSources('builtins')
    .filter(({ path }) => folders.some((folder) => path.startsWith(folder)))
    .flatMap(({ text }) => [...text.matchAll(/\benv: '([A-Z0-9_]+)'/g)].map(([, name]) => name as string));
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});

test('the test that a row names is there and sets that variable', () => {
  const faults = rows.filter(({ name, file }) => !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(name));
  expect(faults).toEqual([]);
});
