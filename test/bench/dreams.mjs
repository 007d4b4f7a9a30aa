// Larger rounds of what the tests of dreams do small: `node test/bench/dreams.mjs [lives] [sessions] [undone runs] [kills]`.
// Lives in three moods of the dreaming model, random runs that are taken back, and servers that are killed in a dream.
import { spawnSync } from 'node:child_process';

const [lives = '50', sessions = '30', undone = '1000', kills = '100'] = process.argv.slice(2);
const environment = { ...process.env, LIVES: lives, SESSIONS: sessions, UNDONE_RUNS: undone, KILLS: kills };
const files = ['test/unit/builtins/dream/corpus.test.ts', 'test/soak/fuzz/dream-undo.test.ts', 'test/soak/kills/dream-kill.test.ts'];
const { status } = spawnSync('npx', ['vitest', 'run', ...files], { env: environment, stdio: 'inherit' });
process.exit(status ?? 1);
