// Processes that inspect a plugin at the same time do not end each other.
import { expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../helpers/cli-program.ts';

test('ten programs that pack one plugin at once all succeed', { timeout: 120_000 }, async () => {
  const program = await createProgram();
  onTestFinished(() => program.clean());
  await program.run(['plugins', 'new', 'hello', '--dir', '.']);
  const ended = await Promise.all(Array.from({ length: 10 }, (_, at) => program.run(['plugins', 'pack', 'hello', '-o', `at-once-${at}.tgz`])));
  expect(ended.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 0));
});
