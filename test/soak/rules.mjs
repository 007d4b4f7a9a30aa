// What is reported of a rule before it holds, beside what happens once it does, over many random histories: `node test/soak/rules.mjs [histories]`.
import { spawnSync } from 'node:child_process';

const [histories = '100'] = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/unit/builtins/rule-trials/reported-and-real.test.ts', '--disable-console-intercept'], {
  stdio: 'inherit',
  env: { ...process.env, CI: 'true', HISTORIES: histories },
});
process.exitCode = status ?? 1;
