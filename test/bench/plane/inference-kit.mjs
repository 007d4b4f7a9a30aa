// What the figures of managed inference share: a PostgreSQL, a provider, nodes of a control plane as programs of their own, a client that counts.
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = process.env.BENCH_ROOT ?? fileURLToPath(new URL('../../..', import.meta.url));
const main = join(root, 'dist', 'main.mjs');
export const place = mkdtempSync(join(tmpdir(), 'bench-inference-'));
const children = new Set();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(place, { recursive: true, force: true });
});
function own(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @param settings of the server; `fsync` stays on, as a figure of money without it would be none */
export async function startPostgres(settings = {}) {
  const versions = '/usr/lib/postgresql';
  const bin = join(versions, existsSync(versions) ? readdirSync(versions).sort((a, b) => b - a)[0] : '', 'bin');
  const folder = join(place, 'postgres');
  mkdirSync(folder);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, ...['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))));
  if (isRoot) execFileSync('chmod', ['711', place]);
  const as = isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const run = (program, flags) => ['setpriv', [...as, '--pdeathsig=QUIT', join(bin, program), ...flags]];
  const data = join(folder, 'data');
  execFileSync(...run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']), { stdio: 'ignore', cwd: folder });
  const port = await freePort();
  const given = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, max_connections: 200, ...settings };
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  own(spawn(...run('postgres', ['-D', data, ...flags]), { stdio: 'ignore', cwd: folder }));
  const { default: pg } = await import('pg');
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const pool = new pg.Pool({ connectionString: url, max: 4, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  for (let left = 200; ; left--) {
    try {
      await pool.query('select 1');
      return { url, query: async (sql, parameters) => (await pool.query(sql, parameters)).rows };
    } catch (fault) {
      if (left === 0) throw fault;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function startProvider() {
  const child = own(fork(fileURLToPath(new URL('./inference-provider.mjs', import.meta.url))));
  const [{ port }] = await once(child, 'message');
  const url = `http://127.0.0.1:${port}`;
  return { url: `${url}/v1`, books: async () => (await fetch(`${url}/books`)).json() };
}

const secret = 'a secret of the figures with more than 32 characters';
const environmentOf = (databaseUrl, home, more) => ({
  PATH: process.env.PATH,
  HOME: place,
  DATABASE_URL: databaseUrl,
  HUB_SECRET: secret,
  HUB_HOME: home,
  HUB_PORT: '0',
  ...more,
});

/** A node as a program; `kill` ends it as a power cut would. */
export async function startNode(databaseUrl, name, environment = {}) {
  const home = join(place, name);
  mkdirSync(home, { recursive: true });
  const child = own(
    spawn(process.execPath, [main, 'control-plane'], { env: environmentOf(databaseUrl, home, environment), stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const hear = (piece) => {
      said += piece;
      const found = /ready at (http:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(`the node ended: ${said}`)));
  });
  const ended = once(child, 'exit');
  return { url, pid: child.pid, said: () => said, kill: () => (child.kill('SIGKILL'), ended), stop: () => (child.kill('SIGTERM'), ended) };
}

/** A command of the program, as an operator types it. */
export function command(databaseUrl, argv, input = '') {
  const home = join(place, 'commands');
  mkdirSync(home, { recursive: true });
  return execFileSync(process.execPath, [main, 'control-plane', ...argv], { env: environmentOf(databaseUrl, home, {}), input, encoding: 'utf8' });
}

/** An organisation with a wallet, prices (1 micro-credit for an input token, 2 for an output token), and a license. */
export function setUp(databaseUrl, credits) {
  command(databaseUrl, ['init', '--email', 'ann@example.org', '--password-stdin'], 'correct horse battery staple\n');
  const token = command(databaseUrl, ['issue', '--email', 'ann@example.org']).trim().split('\n').at(-1);
  const file = join(place, 'prices.json');
  writeFileSync(file, JSON.stringify({ m: { inputPerMillion: 1, outputPerMillion: 2 } }));
  command(databaseUrl, ['prices', file]);
  return { token, setWallet: (org, cap) => command(databaseUrl, ['wallet', '--org', org, '--cap', String(cap)]), credits };
}

export const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
export const now = () => performance.timeOrigin + performance.now();

/**
 * One call. Answers status, headers, the whole text, and times in milliseconds: to the first byte of the body, to the end, and of each later
 * chunk since it left the provider. `cutAt`: hangs up after so many bytes.
 */
export function call(url, token, body, { cutAt = Infinity, headers = {} } = {}) {
  return new Promise((resolve) => {
    const text = JSON.stringify(body);
    const start = now();
    const late = [];
    let first;
    let size = 0;
    const pieces = [];
    const end = (more) =>
      resolve({
        ...more,
        firstMs: first === undefined ? undefined : first - start,
        wholeMs: now() - start,
        late,
        size,
        text: Buffer.concat(pieces).toString(),
      });
    const outgoing = httpRequest(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(text), ...headers },
      },
      (incoming) => {
        const about = { status: incoming.statusCode, headers: incoming.headers };
        incoming.on('data', (piece) => {
          const at = now();
          const isFirst = first === undefined;
          first ??= at;
          size += piece.length;
          pieces.push(piece);
          if (!isFirst) for (const [, left] of piece.toString('latin1').matchAll(/"at":([\d.]+)/g)) late.push(at - Number(left));
          if (size >= cutAt) outgoing.destroy();
        });
        incoming.once('close', () => end({ ...about, isComplete: incoming.complete }));
        incoming.on('error', () => undefined);
      },
    );
    outgoing.on('error', (fault) => end({ status: 0, fault: fault.message }));
    if (cutAt === 0) setTimeout(() => outgoing.destroy(), Math.random() * 20);
    outgoing.end(text);
  });
}

export const percentile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
};
export const median = (values) => percentile(values, 0.5);

export async function until(holds, seconds = 60) {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const answer = await holds();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`it did not come true within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

let isGood = true;
export function expectThat(what, holds, detail = '') {
  console.log(`${holds ? 'holds' : 'DOES NOT HOLD'}: ${what}${detail === '' ? '' : ` (${detail})`}`);
  if (!holds) isGood = false;
}
export const finish = () => process.exit(isGood ? 0 : 1);
