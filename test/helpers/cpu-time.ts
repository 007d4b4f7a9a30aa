// How much work something is, whatever else the machine does meanwhile.

/** Milliseconds of processor time that this process, with its threads, spends on it: waiting and other programs do not count. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
