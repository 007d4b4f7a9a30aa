// Kills the server at any moment between the rehearsal of a command, the yes to it and its application: `node test/soak/effects.mjs [kills]`. It needs a build.
import { spawnSync } from 'node:child_process';

const [kills = '100'] = process.argv.slice(2);
const run = (file, env) =>
  spawnSync('npx', ['vitest', 'run', file, '--disable-console-intercept'], { stdio: 'inherit', env: { ...process.env, CI: 'true', ...env } }).status ?? 1;
process.exitCode = run('test/soak/kills/effect-kills.test.ts', { KILLS: kills });
