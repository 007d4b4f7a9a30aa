// How long the built program takes to be ready, and what it holds then: from an empty folder, again, and with PostgreSQL.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '../../..');
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

/** A server of its own, because PostgreSQL refuses to run as root. */
async function withPostgres(work) {
  const debian = '/usr/lib/postgresql';
  const bin = join(debian, readdirSync(debian).sort((a, b) => Number(b) - Number(a))[0], 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const as = process.getuid() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : ['env'];
  execFileSync('chmod', ['777', folder]);
  const port = 20_000 + (process.pid % 20_000);
  const data = join(folder, 'data');
  execFileSync(as[0], [...as.slice(1), join(bin, 'initdb'), '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8'], {
    stdio: 'ignore',
    cwd: folder,
  });
  const options = ['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`];
  const child = spawn(as[0], [...as.slice(1), join(bin, 'postgres'), '-D', data, ...options], { stdio: 'ignore', cwd: folder });
  const psql = (sql) => execFileSync(join(bin, 'psql'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-c', sql], { stdio: 'ignore' });
  try {
    for (;;) {
      try {
        psql('select 1');
        break;
      } catch {
        await pause(100);
      }
    }
    await work((name) => {
      psql(`create database ${name}`);
      return `postgresql://postgres@127.0.0.1:${port}/${name}`;
    });
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

export default async function run() {
  const embedded = { first: [], again: [] };
  for (let n = 0; n < times; n++) {
    const home = mkdtempSync(join(tmpdir(), 'bench-plane-'));
    embedded.first.push(await measure(home, {}));
    embedded.again.push(await measure(home, {}));
    rmSync(home, { recursive: true, force: true });
  }
  tell('embedded, empty folder', embedded.first);
  tell('embedded, again', embedded.again);
  await withPostgres(async (makeDatabase) => {
    const postgres = { first: [], again: [] };
    for (let n = 0; n < times; n++) {
      const home = mkdtempSync(join(tmpdir(), 'bench-plane-'));
      const environment = { DATABASE_URL: makeDatabase(`bench_${n}`) };
      postgres.first.push(await measure(home, environment));
      postgres.again.push(await measure(home, environment));
      rmSync(home, { recursive: true, force: true });
    }
    tell('PostgreSQL, empty database', postgres.first);
    tell('PostgreSQL, again', postgres.again);
  });
}
