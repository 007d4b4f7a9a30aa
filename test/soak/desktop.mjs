// Starts and ends the desktop app again and again, in every way: `node test/soak/desktop.mjs [cycles]`. Says how long it took until nothing was left.
import { spawnSync } from 'node:child_process';

const [cycles = '100'] = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/system/e2e/desktop.test.ts', '-t', 'times started and ended', '--disable-console-intercept'], {
  stdio: 'inherit',
  env: { ...process.env, CI: 'true', DESKTOP_CYCLES: cycles },
});
process.exitCode = status ?? 1;
