// Implements `agent-harness/testing`, which plugin authors use to test a plugin in a real server.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createParser } from 'eventsource-parser';
import { withLimit } from '#lib/async';
import { readReplies, startTurnModel, type RecordedReply } from './turn-model.ts';

export type { RecordedReply } from './turn-model.ts';

export interface TestServerOptions {
  /** Replies of the model, or the path of a file with replies relative to the plugin's folder. Default: the demo model, which follows instructions. */
  readonly turns?: string | readonly RecordedReply[];
  /** Environment variables for the plugin's settings. Apart from these, the environment contains only `PATH`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether to approve calls that require approval; default: true. */
  readonly approves?: boolean;
}

/** Event of `GET /api/stream`: docs/reference/events.md. */
export interface TestEvent {
  readonly kind: string;
  readonly turnId?: string;
  readonly [field: string]: unknown;
}

export interface TestServer {
  /** Address of the server: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly token: string;
  /** Home folder; `stop` deletes it. */
  readonly home: string;
  /** Workspace of the chat; `stop` deletes it. */
  readonly workspace: string;
  /** Requests that the model received, updated live; empty with the demo model. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** Calls a tool as the model would. Rejects for an unknown tool. */
  tool(name: string, args?: Readonly<Record<string, unknown>>): Promise<{ readonly ok: boolean; readonly output: string }>;
  /** Runs a slash command, such as `/roll 20`, and resolves with its output. */
  command(line: string): Promise<string>;
  /** Runs a turn. Resolves with the model's text and all events of the turn. */
  message(text: string): Promise<{ readonly text: string; readonly events: readonly TestEvent[] }>;
  /** Returns the current content of a view as data. Rejects if the view is unknown or fails. */
  view(name: string): Promise<Readonly<Record<string, unknown>>>;
  /** Sends a request with the token; a body is sent as JSON. */
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Returns the server's output so far. */
  output(): string;
  /** Ends the server and deletes its folders. */
  stop(): Promise<void>;
}

/** Startup timeout in milliseconds. */
const startMs = 30_000;
const turnMs = 30_000;

/**
 * Copies a plugin into the plugin folder of an empty home, and starts the server there. Rejects with the reason if the plugin does not become active. The
 * caller must stop the server.
 * @param path path of the plugin's folder or file
 */
export async function startWithPlugin(path: string | URL, options: TestServerOptions = {}): Promise<TestServer> {
  const { turns, environment = {}, approves = true } = options;
  const from = resolve(typeof path === 'string' ? path : fileURLToPath(path));
  const place = await mkdtemp(join(tmpdir(), 'plugin-test-'));
  const [home, workspace] = [join(place, 'home'), join(place, 'work')];
  const undo: (() => Promise<unknown>)[] = [() => rm(place, { recursive: true, force: true, maxRetries: 3 })];
  const stop = async (): Promise<void> => {
    for (let one = undo.pop(); one; one = undo.pop()) await one();
  };
  try {
    const { name, folder } = await copyPlugin(from, join(home, 'plugins'));
    await mkdir(workspace);
    const model = turns === undefined ? undefined : await startTurnModel(await repliesOf(turns, folder));
    if (model) undo.push(() => model.close());
    const { child, output, url } = await startProgram({
      ...{ PATH: process.env['PATH'] ?? '', HOME: home, APP_HOME: home, AGENT_WORKSPACE_ROOT: workspace, PORT: '0', AGENT_PERSONA_BOOTSTRAP: '0' },
      ...(model ? { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'no-key-is-needed', AGENT_MODEL: 'recorded' } : {}),
      ...environment,
    });
    undo.push(() => end(child));
    const token = (await readFile(join(home, 'web_token'), 'utf8')).trim();
    const call = async (method: string, at: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
      const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const reply = await fetch(url + at, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      const text = await reply.text();
      return { status: reply.status, body: /json/.test(reply.headers.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : text };
    };
    const mustBe = async (fields: Promise<{ status: number; body: unknown }>): Promise<Readonly<Record<string, unknown>>> => {
      const { status, body } = await fields;
      const { error } = body as { readonly error?: { readonly message?: string } };
      if (status >= 400) throw new Error(error?.message ?? `The server responded with status ${status}.`);
      return body as Readonly<Record<string, unknown>>;
    };
    await untilActive(name, call, output);
    const stream = await openStream(url, token, (event) => {
      const { kind, approvalId } = event;
      if (kind === 'tool_approval') void call('POST', '/api/approve', { approvalId, decision: approves ? 'approve' : 'reject' });
    });
    undo.push(() => Promise.resolve(stream.close()));

    return {
      ...{ url, token, home, workspace, requests: model?.requests ?? [], call, output, stop },
      async tool(tool, args = {}) {
        const { text, turnId } = await mustBe(call('POST', '/api/commands', { name: 'call', args: `${tool} ${JSON.stringify(args)}` }));
        if (typeof turnId !== 'string') throw new Error(String(text));
        const events = await stream.turn(turnId);
        const result = events.find(({ kind }) => kind === 'tool_result');
        if (!result) throw new Error(`'${tool}' had no result: ${JSON.stringify(events.at(-1))}`);
        return { ok: result['ok'] === true, output: String(result['output']) };
      },
      async command(line) {
        const [, command = '', args = ''] = /^\/?(\S+)\s*(.*)$/s.exec(line) ?? [];
        const { text } = await mustBe(call('POST', '/api/commands', { name: command, args }));
        return String(text);
      },
      view: (wanted) => mustBe(call('GET', `/api/views/${encodeURIComponent(wanted)}`)),
      async message(text) {
        const { turnId } = await mustBe(call('POST', '/api/message', { text }));
        const events = await stream.turn(String(turnId));
        const said = events.filter((event) => event.kind === 'text' && event['channel'] === 'user').map((event) => String(event['delta']));
        return { text: said.join(''), events };
      },
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

async function copyPlugin(from: string, plugins: string): Promise<{ readonly name: string; readonly folder: string }> {
  const isFolder = (await stat(from)).isDirectory();
  // The tests of a folder plugin are beside its index file.
  const source = !isFolder && /^index\.m?js$/.test(basename(from)) ? dirname(from) : from;
  await mkdir(plugins, { recursive: true, mode: 0o700 });
  await copyTree(source, join(plugins, basename(source)));
  if (isFolder || source !== from) return { name: nameOf(basename(source)), folder: source };
  const beside = source.replace(/\.m?js$/, '');
  if ((await stat(beside).catch(() => undefined))?.isDirectory() === true) await copyTree(beside, join(plugins, basename(beside)));
  return { name: nameOf(basename(beside)), folder: dirname(source) };
}

/** Copies with file modes that prevent other users from changing the running code. */
async function copyTree(from: string, to: string): Promise<void> {
  if (!(await stat(from)).isDirectory()) return writeFile(to, await readFile(from), { mode: 0o600 });
  await mkdir(to, { mode: 0o700 });
  for (const name of await readdir(from)) if (name !== '.git') await copyTree(join(from, name), join(to, name));
}

/** Returns the name of the plugin, by the same rules as the loaders. */
function nameOf(file: string): string {
  return file
    .replace(/\.m?js$/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase();
}

async function repliesOf(turns: string | readonly RecordedReply[], folder: string): Promise<readonly RecordedReply[]> {
  if (typeof turns !== 'string') return readReplies(turns, 'turns');
  const path = resolve(folder, turns);
  return readReplies(JSON.parse(await readFile(path, 'utf8')) as unknown, path);
}

async function startProgram(env: Readonly<Record<string, string>>): Promise<{ child: ChildProcess; output: () => string; url: string }> {
  const program = join(dirname(createRequire(import.meta.url).resolve('agent-harness/package.json')), 'dist/main.mjs');
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], { env, cwd: env['AGENT_WORKSPACE_ROOT'], stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ready = new Promise<string>((resolveUrl, reject) => {
    const onOutput = (text: string): void => {
      output += text;
      const address = / at (http:\/\/[\w.[\]:]+:\d+)/.exec(output)?.[1];
      if (address !== undefined) resolveUrl(address);
    };
    child.stdout.setEncoding('utf8').on('data', onOutput);
    child.stderr.setEncoding('utf8').on('data', onOutput);
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the server ended with ${signal ?? code}: ${output}`)));
  });
  try {
    const url = await withLimit(ready, startMs, () => Promise.reject(new Error(`the server did not start: ${output}`)));
    return { child, output: () => output, url };
  } catch (fault) {
    await end(child);
    throw fault;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

type Call = (method: string, path: string) => Promise<{ readonly status: number; readonly body: unknown }>;

interface Listing {
  readonly plugins: readonly { readonly name: string; readonly origin: string; readonly state: string; readonly reason?: string }[];
  /** Whether third-party plugins are still being loaded, which happens after the server starts to respond. */
  readonly isLoading: boolean;
}

async function untilActive(name: string, call: Call, output: () => string): Promise<void> {
  const late = performance.now() + startMs;
  let reply = await call('GET', '/api/plugins');
  while ((reply.status === 503 || (reply.body as Listing).isLoading) && performance.now() < late) {
    await delay(50);
    reply = await call('GET', '/api/plugins');
  }
  const rows = (reply.body as Listing).plugins;
  const row = rows.find((one) => one.name === name && one.origin === 'user');
  if (row?.state !== 'active') throw new Error(row ? `Plugin '${name}' is ${row.state}: ${row.reason ?? ''}` : `There is no plugin '${name}': ${output()}`);
}

/** Collects the events of all chats from now on. The caller must close the result. */
async function openStream(url: string, token: string, onEvent: (event: TestEvent) => void) {
  const closed = new AbortController();
  const turns = new Map<string, TestEvent[]>();
  const waiting = new Map<string, () => void>();
  const isOver = (turnId: string): boolean => turns.get(turnId)?.some(({ kind }) => kind === 'turn_end') === true;
  const reply = await fetch(`${url}/api/stream?chatId=all`, { headers: { authorization: `Bearer ${token}` }, signal: closed.signal });
  if (!reply.ok || !reply.body) throw new Error(`the stream responded with status ${reply.status}`);
  const parser = createParser({
    onEvent({ data }) {
      const event = JSON.parse(data) as TestEvent;
      const { turnId } = event;
      onEvent(event);
      if (turnId === undefined) return;
      turns.set(turnId, [...(turns.get(turnId) ?? []), event]);
      if (isOver(turnId)) waiting.get(turnId)?.();
    },
  });
  const { body } = reply;
  void (async () => {
    const decoder = new TextDecoder();
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) parser.feed(decoder.decode(piece, { stream: true }));
  })().catch(() => undefined);
  return {
    close: () => closed.abort(),
    /** Resolves with the events of a turn after its end. */
    async turn(turnId: string): Promise<readonly TestEvent[]> {
      const over = isOver(turnId) ? Promise.resolve() : new Promise<void>((done) => waiting.set(turnId, done));
      await withLimit(over, turnMs, () => {
        throw new Error(`the turn did not end within ${turnMs / 1_000} s`);
      });
      return turns.get(turnId) ?? [];
    },
  };
}
