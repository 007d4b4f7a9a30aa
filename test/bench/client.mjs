// Benchmark client: starts servers, sends messages, reads streams and counts.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

export const now = () => performance.timeOrigin + performance.now();
export const root = join(import.meta.dirname, '../..');

/** @param values numbers; @param share 0 to 1 */
export function percentile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
export const median = (values) => percentile(values, 0.5);

/** Sends a request over its own connection and returns status and text. */
export function call(url, { method = 'GET', token, body } = {}) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
    };
    const sent = request(url, { method, headers }, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (piece) => (received += piece));
      response.on('end', () => resolve({ status: response.statusCode, text: received }));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Reads server-sent events until `onEvent` returns true. Calls `onOpen` at the first byte. */
export function readEvents(url, { method = 'GET', token, body, onOpen, onEvent }) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
    };
    const sent = request(url, { method, headers }, (response) => {
      let rest = '';
      let isOpen = false;
      response.setEncoding('utf8').on('data', (piece) => {
        if (!isOpen) {
          isOpen = true;
          onOpen?.();
        }
        rest += piece;
        for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
          const frame = rest.slice(0, end);
          rest = rest.slice(end + 2);
          const at = frame.indexOf('data: ');
          if (at < 0) continue;
          const data = frame.slice(at + 6);
          if (onEvent(data === '[DONE]' ? data : JSON.parse(data)) === true) {
            sent.destroy();
            resolve();
            return;
          }
        }
      });
      response.on('end', () => resolve());
      response.on('error', () => resolve());
    });
    sent.on('error', (fault) => (sent.destroyed ? resolve() : reject(fault)));
    sent.end(text);
  });
}

const built = [join(root, 'dist/main.mjs'), 'serve'];

/** Spawns the built server, or another program, with Node flags. Resolves when `/api/status` returns 200. The caller stops it. */
export async function startServer({ home, workspace, environment = {}, flags = [], program = built }) {
  const started = performance.now();
  const child = spawn(process.execPath, [...flags, ...program], {
    env: { PATH: process.env.PATH, HOME: home, APP_HOME: home, AGENT_WEB_TOKEN: 'benchmark-token-0123456789', AGENT_WORKSPACE_ROOT: workspace, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let noise = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (noise += text));
  const url = `http://127.0.0.1:${environment.PORT}`;
  const token = 'benchmark-token-0123456789';
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${noise}`);
    try {
      if ((await call(`${url}/api/status`, { token })).status === 200) break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    if (performance.now() - started > 20_000) {
      child.kill('SIGKILL');
      throw new Error(`the server did not start: ${noise}`);
    }
  }
  return {
    url,
    token,
    pid: child.pid,
    startMs: performance.now() - started,
    /** Milliseconds from the start until a request that needs all plugins is answered. New plugins are scanned first. */
    async ready() {
      for (;;) {
        const { status } = await call(`${url}/api/config`, { token });
        if (status === 200) return performance.now() - started;
        if (status !== 503 || performance.now() - started > 120_000) throw new Error(`not ready: ${status}`);
      }
    },
    memory: () => memoryOf(child.pid),
    cpu: () => cpuOf(child.pid),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

/** Resident memory in MB. */
function memoryOf(pid) {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? NaN) / 1024;
}

/** CPU time in milliseconds (100 ticks per second). */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export async function startModel() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'instant-model.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(Number(String(text)))));
  return { url: `http://127.0.0.1:${port}/v1`, stop: () => child.kill('SIGTERM') };
}

export async function freePort() {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
