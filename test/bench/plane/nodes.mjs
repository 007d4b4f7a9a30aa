// Nodes of a control plane as child processes on one PostgreSQL and one NATS, for the figures.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { createParser } from 'eventsource-parser';
import { root } from '../client.mjs';

const program = process.env.PROGRAM ?? join(root, 'dist/main.mjs');

export async function helper(name) {
  const folder = join(root, 'node_modules/.cache/bench');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, `test/helpers/${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  process.once('exit', () => rmSync(outfile, { force: true }));
  return import(pathToFileURL(outfile).href);
}

/** Whoever starts one stops it. Needs the build, PostgreSQL and nats-server. */
export async function startNodes(count = 2) {
  const [{ createTestDatabase }, { startNatsServer }, { freePort }] = await Promise.all(['postgres', 'nats', 'free-port'].map(helper));
  const place = mkdtempSync(join(tmpdir(), 'bench-plane-'));
  const nats = await startNatsServer();
  const shared = {
    PATH: process.env.PATH,
    HUB_SECRET: 'a secret of the figures with more than 32 characters',
    DATABASE_URL: await createTestDatabase(),
    NATS_URL: nats.url,
  };
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const port = await freePort();
      const environment = { ...shared, HUB_HOME: join(place, `node-${at}`), HUB_PORT: String(port) };
      let child;
      let said = '';
      return {
        url: `http://127.0.0.1:${port}`,
        environment,
        get pid() {
          return child?.pid;
        },
        said: () => said,
        async start() {
          child = spawn(process.execPath, [program, 'control-plane', 'open'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
          said = '';
          const ready = new Promise((resolve, reject) => {
            const read = (text) => /is ready at/.test((said += text)) && resolve();
            child.stdout.setEncoding('utf8').on('data', read);
            child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
            child.once('exit', (code) => reject(new Error(`a node ended with ${code}: ${said}`)));
          });
          await ready;
          child.removeAllListeners('exit');
        },
        async kill(signal = 'SIGKILL') {
          if (!child || child.exitCode !== null || child.signalCode !== null) return;
          const gone = once(child, 'exit');
          child.kill(signal);
          await gone;
        },
      };
    }),
  );
  for (const node of nodes) await node.start();
  const command = (...argv) =>
    new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [program, 'control-plane', ...argv],
        { env: { ...nodes[0].environment, HUB_HOME: join(place, 'commands') } },
        (fault, out, err) => (fault ? reject(new Error(`${fault.message}\n${err}`)) : resolve(out.trim())),
      );
    });
  return {
    nodes,
    nats,
    license: async (email, role) =>
      (await command('issue', '--email', email, '--tier', 'team', '--role', role)).split(/\s+/).find((word) => word.startsWith('eyJ')),
    async stop() {
      for (const node of nodes) await node.kill('SIGTERM');
      await nats.kill();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

export async function call(url, method, path, token, body) {
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Follows server-sent events until it is closed or ends. Rejects where it is refused. By plain sockets: a hundred of them must not cost what is measured. */
export function follow(url, path, token, take, lastEventId) {
  const headers = { authorization: `Bearer ${token}`, ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }) };
  return new Promise((resolve, reject) => {
    const asked = get(url + path, { headers, agent: false }, (reply) => {
      if (reply.statusCode !== 200) {
        reply.resume();
        return reject(new Error(`${path} answered ${reply.statusCode}`));
      }
      const parser = createParser({ onEvent: ({ data, id }) => take(JSON.parse(data), id) });
      reply.setEncoding('utf8').on('data', (text) => parser.feed(text));
      reply.on('error', () => undefined);
      return resolve({ ended: new Promise((end) => reply.once('close', end)), close: () => asked.destroy() });
    });
    asked.on('error', reject);
  });
}

export function numberOf(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
}

export const percentiles = (values) => {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
};
