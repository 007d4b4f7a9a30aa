// `node test/bench/plane/write-kills.mjs`: a node is killed in the middle of writes of every kind; what was acknowledged is there, nothing is half done, what
// is sent again counts once. `--kills 200` on PostgreSQL, `--embedded 20` on the embedded database, `--seed 1`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../client.mjs';
import { helper, numberOf } from './nodes.mjs';

const [{ createTestDatabase }, { playKills }] = await Promise.all(['postgres', 'plane-kills'].map(helper));
const program = process.env.PROGRAM ?? join(root, 'dist/main.mjs');
const secret = { HUB_SECRET: 'a secret of the figures with more than 32 characters' };
for (const [where, kills, environment] of [
  ['PostgreSQL', numberOf('kills', 200), async () => ({ DATABASE_URL: await createTestDatabase() })],
  ['embedded database', numberOf('embedded', 20), async () => ({})],
]) {
  if (kills === 0) continue;
  const home = mkdtempSync(join(tmpdir(), 'bench-kills-'));
  try {
    const onKill = (done) => done % 25 === 0 && process.stderr.write(`${done} kills\n`);
    const seed = numberOf('seed', 1);
    const { acknowledged, repeated, faults } = await playKills({ home, program, environment: { ...secret, ...(await environment()) }, kills, seed, onKill });
    for (const fault of faults) process.stdout.write(`${fault}\n`);
    const counts = Object.entries(acknowledged).map(([name, count]) => `${count} ${name}`);
    process.stdout.write(`${where}, ${kills} kills: acknowledged ${counts.join(', ')}; ${repeated} sent again; ${faults.length} faults\n`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
process.exit();
