// Starts a PostgreSQL server per process that needs one, in a temporary folder, on a socket and a loopback port.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

let cluster: Promise<Cluster> | undefined;
let databases = 0;

interface Cluster {
  readonly port: number;
  readonly folder: string;
  query(sql: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the folder of `postgres` and `initdb`; `undefined` if they are not installed. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

/**
 * Creates a database that ends with this process. Returns its address.
 * @param template name of the database to copy; it must have no connection. The default is an empty database.
 */
export async function createTestDatabase(template = 'template1'): Promise<string> {
  const { port, query } = await (cluster ??= startCluster());
  const name = `test_${process.pid}_${databases++}`;
  await query(`create database ${name} template ${template}`);
  return `postgresql://postgres@127.0.0.1:${port}/${name}`;
}

/** Drops root privileges, because PostgreSQL refuses to run as root. */
function asPostgres(): { readonly prefix: readonly string[]; readonly ids?: readonly [number, number] } {
  if (process.getuid?.() !== 0) return { prefix: ['setpriv', '--pdeathsig=QUIT'] };
  const ids = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })));
  return { prefix: ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--pdeathsig=QUIT'], ids: [ids[0] ?? 0, ids[1] ?? 0] };
}

export interface OwnServer {
  readonly url: string;
  stop(): Promise<void>;
  /** Starts the server on the same port with its data. */
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a separate server that a test can stop and start. */
export async function startOwnServer(): Promise<OwnServer> {
  const cluster = await startCluster();
  return {
    url: `postgresql://postgres@127.0.0.1:${cluster.port}/postgres`,
    stop: () => cluster.stop(),
    start: () => cluster.start(),
    async dispose() {
      await cluster.stop();
      rmSync(cluster.folder, { recursive: true, force: true });
    },
  };
}

async function startCluster(): Promise<Cluster> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const { prefix, ids } = asPostgres();
  if (ids) chownSync(folder, ...ids);
  const [command = '', ...before] = prefix;
  const data = join(folder, 'data');
  execFileSync(command, [...before, join(bin, 'initdb'), '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  });
  const port = await freePort();
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off', max_connections: 300, log_min_messages: 'fatal' };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess | undefined;
  process.once('exit', () => {
    child?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  });
  const start = async (): Promise<void> => {
    child = spawn(command, [...before, join(bin, 'postgres'), '-D', data, ...options], { stdio: 'ignore', cwd: folder });
    child.unref();
    await untilAnswers();
  };
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.ref();
    child.kill('SIGQUIT');
    await gone;
  };
  const { default: pg } = await import('pg');
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  async function untilAnswers(): Promise<void> {
    for (let left = 200; ; left--) {
      try {
        await pool.query('select 1');
        return;
      } catch (fault) {
        if (left === 0) throw fault;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
  await start();
  return { port, folder, query: async (sql) => void (await pool.query(sql)), start, stop };
}
