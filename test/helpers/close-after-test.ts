// Closes what a unit test opened once that test is over.
const vitest = process.env['VITEST'] === undefined ? undefined : await import('vitest');

/**
 * What was opened last is closed first; faults of closing fail the test. Not for concurrent tests. Does nothing where no test runs, as in
 * `beforeAll`, and in the other tiers, where tests share servers: there, whoever opens something closes it.
 */
export function closeAfterTest(close: () => unknown): void {
  if (!vitest?.expect.getState().testPath?.includes('/test/unit/')) return;
  try {
    vitest.onTestFinished(async () => {
      const faults = await close();
      if (Array.isArray(faults)) vitest.expect(faults).toEqual([]);
    });
  } catch {
    // no test runs
  }
}
