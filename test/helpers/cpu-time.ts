// Measures CPU time independently of the machine's load.

/** Returns the CPU time in milliseconds of this process and its threads. Waiting and other programs do not count. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
