// Records very many random turns and replays each of them, from its record and from its support file: `node test/soak/replay.mjs [turns] [seed]`.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const [turns = '300', seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
process.stdout.write(`SEED=${seed}\n`);
const env = { ...process.env, CI: 'true', TURNS: turns, SEED: seed };
const { status } = spawnSync('npx', ['vitest', 'run', 'test/unit/builtins/replay/random-turns.test.ts', '--disable-console-intercept'], {
  stdio: 'inherit',
  env,
});
process.exitCode = status ?? 1;
