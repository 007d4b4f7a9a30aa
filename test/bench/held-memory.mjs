// Loaded into a server that is measured, with `--expose-gc`: at SIGUSR2 it collects what nobody holds and writes down how many bytes are left.
import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const path = process.env.BENCH_HELD_FILE;

process.on('SIGUSR2', async () => {
  // What the first pass lets go of may hold something outside of the heap until the second.
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc();
    await sleep(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${path}.new`, String(heapUsed + external));
  renameSync(`${path}.new`, path);
});
