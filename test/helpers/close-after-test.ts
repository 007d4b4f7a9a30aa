// Closes resources that a unit test opened, after the test.
const vitest = process.env['VITEST'] === undefined ? undefined : await import('vitest');

/**
 * Closes in reverse order of opening. Errors while closing fail the test. Not for concurrent tests. Does nothing outside a running test, as in
 * `beforeAll`, and in the other tiers, whose tests share servers: there the caller closes the resource.
 */
export function closeAfterTest(close: () => unknown): void {
  if (!vitest?.expect.getState().testPath?.includes('/test/unit/')) return;
  try {
    vitest.onTestFinished(async () => {
      const faults = await close();
      if (Array.isArray(faults)) vitest.expect(faults).toEqual([]);
    });
  } catch {
    // no test is running
  }
}
