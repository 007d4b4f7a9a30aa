// Skips tests with a reason if a required program is not installed, and fails them in continuous integration.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test, type TestAPI } from 'vitest';

export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns `test` for tests that start these programs. If `CI` is `true`, the tests always run, so they fail if a program is missing. */
export function testWith(...programs: readonly string[]): TestAPI {
  const missing = programs.filter((name) => !hasProgram(name));
  if (missing.length === 0 || process.env['CI'] === 'true') return test;
  const skip = (name: string): void => test.skip(`${name} (needs ${missing.join(', ')})`, () => undefined);
  return skip as unknown as TestAPI;
}
