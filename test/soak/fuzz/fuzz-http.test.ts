// Fuzzes the HTTP API with thousands of invalid, odd and valid requests: every reply matches the OpenAPI document and the server stays healthy.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readOperations, type Operation } from '../../helpers/api-check.ts';
import { inSoak, seed } from '../../helpers/dice.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { createFuzzClient, type FuzzClient, type FuzzReply } from './fuzz-client.ts';
import { fuzzIds, requestsOf, type FuzzRequest } from './fuzz-requests.ts';

const count = inSoak(20_000, 5_000);
const workers = 8;
const batch = 1_000;
/** Time limit after which a slow machine stops sending, after at least `least` requests. Speed does not decide the result. */
const usualMs = 150_000;
const least = Math.min(count, 2_000);

/** Runs in the server: reports the heap size on a signal, and uncaught exceptions. */
const probe = `
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => { collect(); collect(); process.stderr.write('heap=' + process.memoryUsage().heapUsed + ';'); });
process.on('uncaughtExceptionMonitor', (fault, origin) => process.stderr.write('uncaught=' + origin + ' ' + fault?.stack + ';'));`;

let server: ServerProcess;
let model: ScriptedModel;
let client: FuzzClient;
let folders: string[];
let document: any;
let operations: Operation[];
const ids: Record<string, string[]> = { chat: [], turn: [], work: [] };
const checkError = new Ajv2020({ strict: false }).compile({
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
        message: { type: 'string', minLength: 3 },
        details: { type: 'object' },
        requestId: { type: 'string', pattern: '^req_' },
      },
    },
  },
});

beforeAll(async () => {
  folders = await Promise.all(['home', 'work'].map((name) => mkdtemp(join(tmpdir(), `fuzz-${name}-`))));
  ids['work'] = folders.slice(1);
  model = await startScriptedModel(() => ({ text: ['Well ', 'then.'] }));
  // No browser exists at that path, so no window is opened.
  const browser = { AGENT_DESKTOP_BROWSER_PATH: '/nowhere/chromium' };
  const probing = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(probe)}` };
  const environment = { ...model.environment, ...browser, ...probing, AGENT_WEB_TOKEN: 'f'.repeat(40) };
  server = await startServerProcess({ home: folders[0] as string, workspace: folders[1] as string, environment });
  client = createFuzzClient(server.url, server.token, workers);
  document = (await server.call('GET', '/api/openapi.json')).body;
  operations = readOperations(document);
  for (let n = 0; n < 8; n++) {
    const chat = await server.call('POST', '/api/chats', { title: `Chat ${n}`, workspaceMode: 'scratch' });
    const message = await server.call('POST', '/api/message', { text: 'hello', chatId: chat.body.chatId });
    ids['chat']?.push(chat.body.chatId);
    ids['turn']?.push(message.body.turnId);
  }
});
afterAll(async () => {
  client.close();
  await server.stop('SIGKILL');
  await model.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const withIds = (text: string): string => text.replace(fuzzIds, (_, kind: string, at: string) => ids[kind]?.[Number(at)] ?? 'none');

function faultOf({ method, path }: FuzzRequest, { status, type, text }: FuzzReply): string | undefined {
  const plain = path.split('?', 1)[0] ?? '';
  const operation = operations.find((one) => one.method === method && one.pattern.test(plain));
  if (method === 'HEAD' || (method === 'OPTIONS' && status === 204)) return status < 500 ? undefined : 'a fault';
  if (status < 400 && !operation) return 'success on a route that the document lacks';
  const body = type.startsWith('application/json') ? parse(text) : undefined;
  if (status >= 400) {
    if (!checkError(body)) return `an error reply of another shape: ${JSON.stringify(checkError.errors)}`;
    const { code } = body.error;
    // A key is tested at the endpoint in the request, where nothing listens.
    const isUnreached = status === 502 && code === 'provider_unavailable' && operation?.key === 'POST /api/provider/key' && operation.schemas.has(502);
    if (status >= 500 && !isUnreached && !(status === 503 && ['not_ready', 'disabled', 'plane_unreachable', 'no_browser', 'no_screen'].includes(code)))
      return 'a fault of the server';
    if (/node_modules|\.(?:ts|mjs|js):\d+:\d+|"stack"/.test(text)) return 'an error reply with a stack';
    return !operation || operation.schemas.has(status) || status === 431 ? undefined : 'a status that the document lacks';
  }
  if (!operation?.schemas.has(status)) return 'another status of success than the document says';
  const validate = operation.schemas.get(status);
  return validate && !validate(body) ? `a reply that its schema does not allow: ${JSON.stringify(validate.errors)}` : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function heapOfServer(): Promise<number> {
  const before = server.output().length;
  process.kill(server.pid, 'SIGUSR2');
  const found = await vi.waitUntil(() => /heap=(\d+);/.exec(server.output().slice(before)), { timeout: 60_000 });
  return Number(found[1]);
}

function learn(reply: FuzzReply, index: number): void {
  const body = reply.status === 201 || reply.status === 202 ? (parse(reply.text) as { chatId?: string; turnId?: string } | undefined) : undefined;
  const kind = reply.status === 201 ? 'chat' : 'turn';
  const id = kind === 'chat' ? body?.chatId : body?.turnId;
  if (id !== undefined) (ids[kind] as string[])[index % 8] = id;
}

const statuses = new Map<number, number>();

async function sendAll(requests: readonly FuzzRequest[], offset: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < requests.length; at = next++) {
      const drawn = requests[at] as FuzzRequest;
      const sent = { ...drawn, path: withIds(drawn.path), ...(typeof drawn.body === 'string' ? { body: withIds(drawn.body) } : {}) };
      const tell = (what: string): Error => new Error(`SEED=${seed}, request ${offset + at}: ${what}\n${shorten(sent)}\n${server.output().slice(-500)}`);
      const reply = await client.send(sent).catch((fault: unknown) => Promise.reject(tell(String(fault))));
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const fault = faultOf(sent, reply);
      if (fault) throw tell(`${fault}\n${reply.status} ${reply.text.slice(0, 600)}`);
      learn(reply, offset + at);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

const shorten = ({ method, path, headers, body }: FuzzRequest): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${body === undefined ? '' : JSON.stringify(String(body)).slice(0, 600)}`;

test(`answers each of ${count} requests as documented (SEED=${seed})`, { timeout: 1_800_000 }, async () => {
  const settings = (await server.call('GET', '/api/settings')).body;
  const requests = requestsOf(
    document,
    settings.fields.map((field: { key: string }) => field.key),
  );
  let heap: number | undefined;
  let sent = 0;
  const end = performance.now() + usualMs;
  for (let offset = 0; offset < count && (sent < least || performance.now() < end); offset += batch) {
    await sendAll(fc.sample(requests, { seed: seed + offset, numRuns: Math.min(batch, count - offset) }), offset);
    sent = Math.min(offset + batch, count);
    heap ??= await heapOfServer();
  }
  const right = [...statuses].reduce((sum, [status, times]) => sum + (status < 300 ? times : 0), 0);
  expect(right, 'requests that were right').toBeGreaterThan(sent / 5);

  await vi.waitUntil(async () => !(await server.call('GET', '/api/status')).body.busy, { timeout: 120_000 });
  const mebibytes = [heap ?? 0, await heapOfServer()].map((bytes) => Math.round(bytes / 2 ** 20));
  expect(mebibytes[1], 'heap in MiB').toBeLessThan((mebibytes[0] as number) * 2 + 60);
  expect(server.output()).not.toContain('uncaught=');

  // Resets settings changed by random requests, for example access and spending limits.
  const env = Object.fromEntries(settings.fields.filter(({ locked }: { locked: boolean }) => !locked).map(({ key }: { key: string }) => [key, null]));
  expect(await server.call('PUT', '/api/settings', { harness: { env }, provider: { inferenceMode: 'byok' } })).toMatchObject({ status: 200 });
  const chat = await server.call('POST', '/api/chats', { title: 'The last', workspaceMode: 'scratch' });
  expect(chat.status).toBe(201);
  expect((await server.call('POST', '/api/message', { text: 'still there?', chatId: chat.body.chatId })).status).toBe(202);
  await vi.waitUntil(async () => JSON.stringify((await server.call('GET', `/api/chats/${chat.body.chatId}/transcript`)).body).includes('Well then.'), {
    timeout: 60_000,
  });
  expect(await server.stop()).toBe(0);
});
