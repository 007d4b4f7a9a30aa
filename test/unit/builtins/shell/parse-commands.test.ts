import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCommands } from '../../../../builtins/tools/shell/parse-commands.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

test('splits plain commands at pipes, lists and semicolons', () => {
  expect(parseCommands(`grep -n 'a b' "c d" | head -5 && ls; pwd || true`)).toEqual([['grep', '-n', 'a b', 'c d'], ['head', '-5'], ['ls'], ['pwd'], ['true']]);
  expect(parseCommands(`echo 'it is $5; really' "50% & more"`)).toEqual([['echo', 'it is $5; really', '50% & more']]);
});

const pieces = ['a', 'b1', '-x', './c', '=', ' ', ' ', ' ', "'", '"', '\\', '$', '$(', ')', '`', ';', '&&', '&', '|', '>', '<', '*', '?', '[a]', '{b,c}', '~', '#', '!', '\n', '\t', 'é', '\u00a0', '(', '%', '^', ',', ':']; // prettier-ignore
const line = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''));
const quoted = fc
  .tuple(fc.constantFrom("'", '"'), fc.string({ maxLength: 8 }), fc.constantFrom("'", '"', ''))
  .map(([open, text, close]) => open + text + (close === '' ? open : close));
const command = fc.array(fc.oneof({ weight: 2, arbitrary: line }, quoted), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));

test.skipIf(process.platform === 'win32')('splits every accepted line as bash does', () => {
  const accepted = fc
    .sample(command, { numRuns: 40_000, seed: 7 })
    .map((text) => ({ text, commands: parseCommands(text) }))
    .flatMap(({ text, commands }) => (commands && !/(?<!&)&(?!&)|\|/.test(text) && !/[&]{3}/.test(text) ? [{ text, commands }] : []));
  expect(accepted.length).toBeGreaterThan(500);
  expect(accepted.filter(({ commands }) => commands.length > 1).length).toBeGreaterThan(20);
  expect(accepted.filter(({ text }) => /['"]/.test(text)).length).toBeGreaterThan(100);
  // Each command becomes the arguments of a printing function; the empty PATH prevents any other execution.
  const script = accepted.map(({ text }) => `p ${text.replaceAll(/(&&|;)(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/g, '$1 p ')}\nprintf '\\3'`).join('\n');
  const printed = execFileSync('/bin/bash', ['--noprofile', '--norc', '-c', `p() { printf '%s\\1' "$@"; printf '\\2'; }\n${script}`], {
    encoding: 'utf8',
    env: { PATH: '/nowhere', LC_ALL: 'C.UTF-8' },
  });
  const seen = printed.split('\u0003').slice(0, -1);
  expect(seen.length).toBe(accepted.length);
  accepted.forEach(({ text, commands }, index) => {
    expect(seen[index], JSON.stringify(text)).toBe(commands.map((words) => `${words.map((word) => `${word}\u0001`).join('')}\u0002`).join(''));
  });
});

test('rejects an overlong line and bounds parsing time', async () => {
  expect(parseCommands(`ls ${'a'.repeat(2_000)}`)).toBeUndefined();
  expect(await cpuMsOf(() => parseCommands('" '.repeat(1_000)))).toBeLessThan(1_000);
});
