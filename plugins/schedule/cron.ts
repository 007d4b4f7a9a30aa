// The only file that knows croner; the package is loaded with the first pattern.

/** The next time after `from`, in milliseconds since 1970; `undefined` where there is none. Rejects where the pattern is none. */
export async function nextOfPattern(pattern: string, timeZone: string | undefined, from: number): Promise<number | undefined> {
  const { Cron } = await import('croner');
  return new Cron(pattern, { ...(timeZone === undefined ? {} : { timezone: timeZone }) }).nextRun(new Date(from))?.getTime();
}
