// What a call costs that crosses to a plugin in a child process, beside the same one in the server's process, within one run.
// node test/bench/isolation.mjs [calls]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, freePort, median, now, percentile, startServer } from './client.mjs';

const calls = Number(process.argv[2] ?? 500);
const tiers = ['process', 'child'];
const home = await mkdtemp(join(tmpdir(), 'bench-isolation-'));
const plugins = join(home, 'plugins');
await mkdir(plugins, { mode: 0o700 });
for (const tier of tiers) {
  const text = `export const manifest = { name: 'in-${tier}', isolation: '${tier}' };
export function register(registry) {
  registry.add('route', { key: 'GET /api/in-${tier}', summary: 'x', tag: 'x', schema: {}, handle: async () => ({ ok: true }) });
}`;
  await writeFile(join(plugins, `in-${tier}.mjs`), text, { mode: 0o600 });
}
const server = await startServer({ home, workspace: home, environment: { PORT: String(await freePort()), AGENT_PLUGIN_DIR: plugins, PATH: process.env.PATH } });
await server.ready();
try {
  const taken = Object.fromEntries(tiers.map((tier) => [tier, []]));
  for (let round = -20; round < calls; round++) {
    for (const tier of tiers) {
      const began = now();
      const { status } = await call(`${server.url}/api/in-${tier}`, { token: server.token });
      if (status !== 200) throw new Error(`in-${tier} answered ${status}`);
      if (round >= 0) taken[tier].push(now() - began);
    }
  }
  const base = median(taken.process);
  for (const tier of tiers) {
    const own = median(taken[tier]);
    console.log(`${tier.padEnd(8)} median ${own.toFixed(2)} ms (+${(own - base).toFixed(2)}), p95 ${percentile(taken[tier], 0.95).toFixed(2)} ms`);
  }
} finally {
  await server.stop();
  await rm(home, { recursive: true, force: true });
}
