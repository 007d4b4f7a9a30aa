// What plugins in threads cost that nobody needs: start, readiness and memory of a server with none and with many, from the second start on, in turn within one run.
// node test/bench/many-plugins.mjs [plugins] [rounds]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, freePort, median, startServer } from './client.mjs';

const count = Number(process.argv[2] ?? 200);
const rounds = Number(process.argv[3] ?? 5);
const place = await mkdtemp(join(tmpdir(), 'bench-many-'));
const homes = { none: join(place, 'none'), many: join(place, 'many') };
for (const home of Object.values(homes)) await mkdir(join(home, 'plugins'), { recursive: true, mode: 0o700 });
for (let at = 0; at < count; at++) {
  const text = `export const manifest = { name: 'many-${at}', isolation: 'worker' };
export function register(registry) {
  registry.add('slash_command', { name: 'many-${at}', summary: 'Counts.', run: () => ({ text: '${at}' }) });
}`;
  await writeFile(join(homes.many, 'plugins', `many-${at}.mjs`), text, { mode: 0o600 });
}
const start = async (home) => startServer({ home, workspace: place, environment: { PORT: String(await freePort()), AGENT_PLUGIN_DIR: join(home, 'plugins') } });
const running = new Set();
const stop = async (server) => {
  running.delete(server);
  await server.stop();
};
try {
  const first = await start(homes.many);
  running.add(first);
  let active = 0;
  for (const deadline = Date.now() + 120_000; active < count && Date.now() < deadline;) {
    const { text } = await call(`${first.url}/api/plugins`, { token: first.token });
    active = JSON.parse(text).plugins.filter(({ origin, state }) => origin === 'user' && state === 'active').length;
  }
  console.log(`first start: ${active} of ${count} are active`);
  await stop(first);
  const taken = { none: [], many: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, home] of Object.entries(homes)) {
      const server = await start(home);
      running.add(server);
      const readyMs = await server.ready();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      taken[name].push({ startMs: server.startMs, readyMs, memory: server.memory() });
      await stop(server);
    }
  }
  const of = (name, what) => median(taken[name].map((one) => one[what]));
  for (const what of ['startMs', 'readyMs']) console.log(`${what}: none ${of('none', what).toFixed(0)}, ${count} plugins ${of('many', what).toFixed(0)}`);
  const [none, many] = [of('none', 'memory'), of('many', 'memory')];
  console.log(`memory: none ${none.toFixed(1)} MB, ${count} plugins ${many.toFixed(1)} MB, ${((many - none) / count).toFixed(3)} MB each`);
} finally {
  for (const one of running) await one.stop();
  await rm(place, { recursive: true, force: true });
}
