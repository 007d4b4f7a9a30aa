// Computes the next time of a cron pattern with croner, which is loaded on first use.

/** Returns the next time after `from`, in milliseconds since 1970; `undefined` if the pattern has none. Rejects if the pattern is invalid. */
export async function nextOfPattern(pattern: string, timeZone: string | undefined, from: number): Promise<number | undefined> {
  const { Cron } = await import('croner');
  return new Cron(pattern, { ...(timeZone === undefined ? {} : { timezone: timeZone }) }).nextRun(new Date(from))?.getTime();
}
