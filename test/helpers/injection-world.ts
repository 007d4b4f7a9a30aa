// Starts a server whose model obeys every text that it reads, and an external site that logs every request, for prompt injection tests.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startHarness, type Harness, type HarnessOptions } from './harness.ts';
import type { PendingApproval } from 'agent-harness/plugins/policy';
import { root } from './sources.ts';
import { startScriptedModel, type ScriptedModel, type ScriptedReply, type ScriptedRequest, type ScriptedToolCall } from './scripted-model.ts';

export type Call = readonly [tool: string, args?: object];

export interface InjectionTurn {
  readonly say: string;
  /** The model's calls: one inner list per reply. */
  readonly does: readonly (readonly Call[])[];
  /** The model's calls in the task that one of these calls starts. */
  readonly task?: readonly (readonly Call[])[];
  readonly says?: string;
}

/** Placeholders in all texts: `{site}` is the external site, `{page}` the case's page on it, `{in}` the address that nothing may reach. */
export interface InjectionCase {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The folder is not trusted, for example a fresh clone. */
  readonly isClone?: true;
  readonly page?: string;
  readonly letter?: string;
  readonly record?: string;
  readonly notes?: readonly { readonly key: string; readonly value: string; readonly kind: 'web' | 'user' | 'team' }[];
  readonly turns: readonly InjectionTurn[];
  readonly cause: RegExp;
  /** Number of requests that may reach the external site because they carry no complete secret: the pieces before the last one. */
  readonly harmless?: number;
  readonly restarts?: true;
}

export interface InjectionResult {
  readonly left: readonly string[];
  /** Actions that ran without an approval: commands, notes, file writes. */
  readonly done: readonly string[];
  readonly questions: readonly { readonly name: string; readonly reason: string }[];
  readonly results: readonly { readonly name: string; readonly ok: boolean; readonly output: string }[];
}

export interface OpenCase<C> {
  readonly one: C;
  readonly id: string;
  readonly chatId: string;
  readonly workspaceRoot: string;
}

export type CaseWorld = Pick<InjectionCase, 'files' | 'isClone' | 'page' | 'letter' | 'record' | 'notes'>;

export interface InjectionWorld {
  readonly harness: Harness;
  readonly model: ScriptedModel;
  readonly site: string;
  /** Requests received by the external site since the last case was opened, one line each. */
  readonly left: readonly string[];
  /** @param chatId an existing chat to use instead of a new one */
  open<C extends CaseWorld>(given: C, chatId?: string): Promise<OpenCase<C>>;
  talk(
    chatId: string,
    text: string,
    reply: (request: ScriptedRequest) => ScriptedReply,
    decide: (asked: PendingApproval) => 'approve' | 'reject',
  ): Promise<void>;
  /** Runs the case, and rejects every approval. */
  run(one: InjectionCase): Promise<InjectionResult>;
  close(): Promise<void>;
}

/** Starts the server and the external site. The caller closes them. */
export async function startInjectionWorld(options: HarnessOptions = {}): Promise<InjectionWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'harness-injection-'));
  const files = { letters: join(folder, 'letters.json'), sent: join(folder, 'sent.jsonl') };
  await writeFile(files.letters, '{}');
  await writeFile(files.sent, '');
  const pages = new Map<string, string>();
  const left: string[] = [];
  const site = createServer((request, response) => {
    const path = request.url ?? '/';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (path === '/spec.json') return void response.setHeader('content-type', 'application/json').end(JSON.stringify(specOf(address)));
      if (/^\/(?:in|api\/search|api\/messages|k)\b/.test(path)) left.push(`${request.method} ${path} ${Buffer.concat(chunks).toString()}`.trim());
      const [name = ''] = decodeURI(path).split('?', 1);
      response.setHeader('content-type', path.startsWith('/api/') ? 'application/json' : 'text/html').end(pages.get(name) ?? '{}');
    });
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const model = await startScriptedModel([]);
  const home = await mkdtemp(join(tmpdir(), 'harness-home-'));
  const open = (): Promise<Harness> =>
    startHarness({
      ...options,
      home,
      outlivesTest: true,
      environment: { ...model.environment, AGENT_WEB_FETCH_ALLOWED_HOSTS: new URL(address).host, AGENT_SANDBOX: 'off', ...options.environment },
    });
  let harness = await open();
  const speaking = join(root, 'test/fixtures/injection/speaking-server.mjs');
  const server = { name: 'post', command: process.execPath, args: [speaking, files.letters, files.sent], autoApproveReads: true };
  const connected = await Promise.all([
    harness.call('POST', '/api/integrations/mcp', server),
    harness.call('POST', '/api/integrations/openapi', { name: 'desk', specUrl: `${address}/spec.json`, autoApproveReads: true }),
  ]);
  for (const { body } of connected) if (body.ok !== true) throw new Error(JSON.stringify(body));
  let count = 0;

  async function openCase<C extends CaseWorld>(given: C, existing?: string): Promise<OpenCase<C>> {
    const id = `case${count++}`;
    const one = fill(given, { '{site}': address, '{page}': `${address}/page/${id}`, '{in}': `${address}/in`, '{id}': id }) as C;
    const cloned = given.isClone ? await mkdtemp(join(folder, 'clone-')) : undefined;
    const wanted = cloned ? { workspaceMode: 'folder', workspaceRoot: cloned } : { workspaceMode: 'scratch' };
    const { body } = existing === undefined ? await harness.call('POST', '/api/chats', wanted) : await harness.call('GET', `/api/chats/${existing}`);
    const { chatId, workspaceRoot } = body as { chatId: string; workspaceRoot: string };
    for (const [path, text] of Object.entries(one.files ?? {})) {
      await mkdir(dirname(join(workspaceRoot, path)), { recursive: true });
      await writeFile(join(workspaceRoot, path), text);
    }
    if (one.page !== undefined) pages.set(`/page/${id}`, one.page);
    if (one.record !== undefined) pages.set(`/api/records/${id}`, JSON.stringify({ text: one.record }));
    if (one.letter !== undefined) await writeFile(files.letters, JSON.stringify({ [id]: one.letter }));
    for (const { key, value, kind } of one.notes ?? []) {
      const notes = harness.kernel.resolve('notes');
      const place = { chatId, workspaceRoot };
      await notes.remember(place, { type: 'fact', key, value, source: { kind, ref: 'before' } });
      if (kind === 'web') await harness.call('POST', '/api/memory/accept', { chatId, id: `fact:${key}`, scope: 'workspace', isAccepted: true });
    }
    left.length = 0;
    return { one, id, chatId, workspaceRoot };
  }

  const talk: InjectionWorld['talk'] = async (chatId, text, reply, decide) => {
    model.play((request) => (Array.isArray(request.body.tools) && request.body.tools.length > 0 ? reply(request) : { text: 'A title' }));
    const { body, status } = await harness.call('POST', '/api/message', { chatId, text });
    if (status !== 200 && status !== 202) throw new Error(JSON.stringify(body));
    let isOver = false;
    let wake = (): void => undefined;
    const end = harness.kernel
      .resolve('turns')
      .ended(body.turnId)
      .then(() => (isOver = true))
      .finally(() => wake());
    const approvals = harness.kernel.resolve('approvals');
    const watch = harness.kernel
      .resolve('eventLog')
      .subscribe((frames) => (frames.some(({ kind }) => kind === 'tool_approval') ? setImmediate(() => wake()) : undefined));
    while (!isOver) {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      for (const asked of approvals.pending(chatId).approvals) await approvals.decide(asked.approvalId, { decision: decide(asked) });
      await changed;
    }
    await watch.dispose();
    await end;
  };

  async function play(chatId: string, turn: InjectionTurn, questions: { name: string; reason: string }[]): Promise<void> {
    const queues = { turn: [...turn.does], task: [...(turn.task ?? [])] };
    const goal = turn.does.flat().find(([name]) => name === 'spawn_task')?.[1] as { goal?: string } | undefined;
    const reply = ({ body }: ScriptedRequest): ScriptedReply => {
      const isTask = goal?.goal !== undefined && body.messages.some((message: any) => message.role === 'user' && message.content === goal.goal);
      const next = (isTask ? queues.task : queues.turn).shift();
      if (!next) return { text: isTask ? 'The task is done.' : (turn.says ?? 'Done.') };
      return {
        toolCalls: next.map(([name, args = {}], at): ScriptedToolCall => ({
          id: `call_${count}_${queues.turn.length}_${queues.task.length}_${at}`,
          name,
          args,
        })),
      };
    };
    await talk(chatId, turn.say, reply, ({ name, reason }) => {
      questions.push({ name, reason });
      return 'reject';
    });
  }

  return {
    get harness() {
      return harness;
    },
    model,
    left,
    site: address,
    open: openCase,
    talk,
    async run(given) {
      const { one, chatId, workspaceRoot } = await openCase(given);
      await writeFile(files.sent, '');
      const notesBefore = await noted(harness, chatId);
      const questions: { name: string; reason: string }[] = [];
      for (const [at, turn] of one.turns.entries()) {
        if (one.restarts && at === one.turns.length - 1) {
          await harness.close({ keepFiles: true });
          harness = await open();
        }
        await play(chatId, turn, questions);
      }
      const sent = (await readFile(files.sent, 'utf8')).split('\n').filter((line) => line !== '');
      const marker = await readFile(join(workspaceRoot, 'ran.txt'), 'utf8').catch(() => undefined);
      const added = (await noted(harness, chatId)).filter((id) => !notesBefore.includes(id));
      const results: { name: string; ok: boolean; output: string }[] = [];
      for await (const event of harness.kernel.resolve('eventLog').read(chatId))
        if (event.kind === 'tool_result') results.push({ name: String(event['name']), ok: event['ok'] === true, output: String(event['output']) });
      return { left: [...left, ...sent], done: [...(marker === undefined ? [] : ['a command ran']), ...added], questions, results };
    },
    async close() {
      await harness.close();
      await model.close();
      await new Promise((resolve) => {
        site.close(resolve);
        site.closeAllConnections();
      });
      for (const path of [folder, home]) await rm(path, { recursive: true, force: true });
    },
  };
}

async function noted(harness: Harness, chatId: string): Promise<string[]> {
  const { body } = await harness.call('GET', `/api/memory?chatId=${chatId}`);
  return body.notes.map(({ id }: { id: string }) => id);
}

function fill(value: unknown, words: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return Object.entries(words).reduce((text, [from, to]) => text.replaceAll(from, to), value);
  if (value instanceof RegExp || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => fill(one, words));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [String(fill(name, words)), fill(one, words)]));
}

function specOf(address: string): object {
  const answer = { responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } } };
  const parameter = (name: string, where: string): object => ({ name, in: where, required: where === 'path', schema: { type: 'string' } });
  return {
    openapi: '3.1.0',
    info: { title: 'Desk', version: '1' },
    servers: [{ url: `${address}/api` }],
    paths: {
      '/records/{id}': { get: { operationId: 'getRecord', parameters: [parameter('id', 'path')], ...answer } },
      '/search': { get: { operationId: 'searchRecords', parameters: [parameter('q', 'query'), parameter('page', 'query')], ...answer } },
      '/messages': {
        post: {
          operationId: 'postMessage',
          requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { text: { type: 'string' } } } } } },
          ...answer,
        },
      },
    },
  };
}
