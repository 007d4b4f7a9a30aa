// Stops a turn of an editor at very many points: `node test/soak/acp-cancel.mjs [stops]`. Says how long the slowest took.
import { spawnSync } from 'node:child_process';

const [stops = '1000'] = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/soak/races/acp-cancel.test.ts', '--disable-console-intercept'], {
  stdio: 'inherit',
  env: { ...process.env, CI: 'true', ACP_CANCELS: stops },
});
process.exitCode = status ?? 1;
