// `node test/bench/plane/start.mjs`: measures the time to ready and the memory of the built program: from an empty database, again, and with PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../client.mjs';
import { helper } from './nodes.mjs';

const times = 5;
const settleMs = 2_000;

/** Starts it and answers milliseconds until `/readyz` is 200, and megabytes two seconds later. */
async function measure(home, environment) {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist/main.mjs'), 'control-plane'], {
    env: { PATH: process.env.PATH, HOME: home, HUB_HOME: join(home, 'hub'), HUB_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  let url;
  while (!(url = /is ready at (\S+)/.exec(said)?.[1])) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    await pause(5);
  }
  while (!(await fetch(`${url}/readyz`)).ok) await pause(5);
  const ms = performance.now() - began;
  await pause(settleMs);
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { ms, megabytes };
}

function tell(name, all) {
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const [ms, megabytes] = [all.map((one) => one.ms), all.map((one) => one.megabytes)];
  const text = `ready after ${middle(ms).toFixed(0)} ms (${Math.min(...ms).toFixed(0)} to ${Math.max(...ms).toFixed(0)}), ${middle(megabytes).toFixed(0)} MB`;
  process.stdout.write(`  ${name.padEnd(34)} ${text} (${Math.max(...megabytes).toFixed(0)} at most)\n`);
}

const { createTestDatabase } = await helper('postgres');
for (const [where, empty, makeEnvironment] of [
  ['embedded', 'empty folder', () => ({})],
  ['PostgreSQL', 'empty database', async () => ({ DATABASE_URL: await createTestDatabase() })],
]) {
  const [first, again] = [[], []];
  for (let n = 0; n < times; n++) {
    const home = mkdtempSync(join(tmpdir(), 'bench-plane-'));
    const environment = await makeEnvironment();
    first.push(await measure(home, environment));
    again.push(await measure(home, environment));
    rmSync(home, { recursive: true, force: true });
  }
  tell(`${where}, ${empty}`, first);
  tell(`${where}, again`, again);
}
process.exit();
