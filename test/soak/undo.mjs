// Undoes very many random turns over everything that is kept, and kills the server in the middle of turns and undos: `node test/soak/undo.mjs [turns] [kills]`.
// The kills need a build.
import { spawnSync } from 'node:child_process';

const [turns = '1000', kills = '100'] = process.argv.slice(2);
const run = (file, env) =>
  spawnSync('npx', ['vitest', 'run', file, '--disable-console-intercept'], { stdio: 'inherit', env: { ...process.env, CI: 'true', ...env } }).status ?? 1;
process.exitCode = run('test/unit/builtins/checkpoints/random-turns.test.ts', { TURNS: turns }) || run('test/soak/kills/undo-kills.test.ts', { KILLS: kills });
