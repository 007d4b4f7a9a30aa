// Managed inference: each of its figures is a program of its own, as it starts and kills nodes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export default function run() {
  for (const name of ['inference-wallet', 'inference-aborts', 'inference-overhead']) {
    process.stdout.write(`\n${name}\n`);
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.mjs`)], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
