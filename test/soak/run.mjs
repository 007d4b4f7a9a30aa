// Runs the random tests again and again, each time from another seed: `npm run soak [rounds] [files]`; without rounds until one fails.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [rounds = 'Infinity', ...only] = process.argv.slice(2);
const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
const random = tests.map((name) => join('test', name)).filter((file) => /dice\.ts'|crash-bench\.ts'/.test(readFileSync(file, 'utf8')));
const files = only.length > 0 ? only : random;
for (let round = 1; round <= Number(rounds); round++) {
  const seed = String(randomInt(2 ** 31));
  process.stdout.write(`round ${round}: SEED=${seed}\n`);
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], { stdio: 'inherit', env: { ...process.env, SEED: seed } });
  if (status !== 0) {
    process.stdout.write(`SEED=${seed} fails\n`);
    process.exit(1);
  }
}
