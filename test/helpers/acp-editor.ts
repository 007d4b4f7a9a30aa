// Runs an Agent Client Protocol editor for the built program: records all messages, and validates each one against the protocol's schema.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, expect } from 'vitest';
import { root } from './sources.ts';

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: any;
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface EditorOptions {
  readonly home: string;
  readonly workspace: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly capabilities?: object;
  readonly argv?: readonly string[];
  /** Answers the agent's requests. Permissions are allowed once by default. A promise that never settles leaves the request open. */
  answer?(request: Message): unknown;
}

export interface Editor {
  readonly child: ChildProcess;
  readonly received: readonly Message[];
  readonly lines: readonly string[];
  readonly stderr: () => string;
  request(method: string, params?: unknown, id?: number | string): Promise<Message>;
  readonly lastId: () => number | string;
  notify(method: string, params?: unknown): void;
  raw(text: string): void;
  /** Resolves with the first matching message since `from` (an index of `received`). */
  until(fits: (message: Message) => boolean, from?: number): Promise<Message>;
  initialize(): Promise<any>;
  newSession(more?: object): Promise<string>;
  prompt(sessionId: string, text: string): Promise<Message>;
  updates(sessionId: string, from?: number): any[];
  /** Returns the agent's text since `from`. */
  words(sessionId: string, from?: number): string;
  end(): Promise<number | string | null>;
  kill(): Promise<void>;
  faults(): string[];
}

/** Starts an editor. The caller ends it. */
export function startEditor(options: EditorOptions): Editor {
  const { home, workspace, environment = {}, capabilities = {}, argv = [] } = options;
  const child = spawn(process.execPath, [join(root, 'dist/main.mjs'), 'acp', '--linger', '1', ...argv], {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: home, APP_HOME: home, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const received: Message[] = [];
  const lines: string[] = [];
  const asked = new Map<number | string, string>();
  const listeners = new Set<() => void>();
  let rest = '';
  let errors = '';
  let count = 0;
  let lastId: number | string = 0;
  const ended = new Promise<number | string | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) take(line);
    for (const listener of [...listeners]) listener();
  });
  void ended.then(() => listeners.forEach((listener) => listener()));

  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  function take(line: string): void {
    lines.push(line);
    const message = parse(line);
    received.push(message);
    if (message.method === undefined || message.id === undefined) return;
    const answer = options.answer ?? ((): unknown => ({ outcome: { outcome: 'selected', optionId: 'allow' } }));
    Promise.resolve()
      .then(() => answer(message))
      .then(
        (result) => send({ id: message.id, result }),
        (fault: unknown) => send({ id: message.id, error: { code: -32_603, message: String(fault) } }),
      );
  }

  function until(fits: (message: Message) => boolean, from = 0): Promise<Message> {
    return new Promise((resolve, reject) => {
      let at = from;
      const look = (): void => {
        for (; at < received.length; at++) {
          const message = received[at] as Message;
          if (!fits(message)) continue;
          listeners.delete(look);
          return resolve(message);
        }
        if (child.exitCode === null && child.signalCode === null) return;
        listeners.delete(look);
        reject(new Error(`the agent ended: ${errors}`));
      };
      listeners.add(look);
      look();
    });
  }

  const updates = (sessionId: string, from = 0): any[] =>
    received.slice(from).flatMap(({ method, params }) => (method === 'session/update' && params.sessionId === sessionId ? [params.update] : []));

  const editor: Editor = {
    child,
    received,
    lines,
    stderr: () => errors,
    lastId: () => lastId,
    request(method, params, id = ++count) {
      asked.set(id, method);
      lastId = id;
      const from = received.length;
      send({ id, method, ...(params === undefined ? {} : { params }) });
      return until((message) => message.method === undefined && message.id === id, from);
    },
    notify: (method, params) => send({ method, params }),
    raw: (text) => void child.stdin.write(`${text}\n`),
    until,
    async initialize() {
      return (await editor.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities })).result;
    },
    async newSession(more = {}) {
      const { result, error } = await editor.request('session/new', { cwd: workspace, mcpServers: [], ...more });
      if (error) throw new Error(`session/new: ${error.message}`);
      return result.sessionId as string;
    },
    prompt: (sessionId, text) => editor.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    updates,
    words: (sessionId, from) =>
      updates(sessionId, from)
        .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
        .map(({ content }) => content.text)
        .join(''),
    end() {
      child.stdin.end();
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    faults: () => received.flatMap((message, at) => faultsOf(message, asked).map((fault) => `${fault} in ${lines[at]?.slice(0, 300)}`)),
  };
  return editor;
}

export function viewFromNow(editor: Editor): Editor {
  const { received, until, updates, words } = editor;
  const from = received.length;
  return {
    ...editor,
    get received() {
      return received.slice(from);
    },
    until: (fits, at = 0) => until(fits, from + at),
    updates: (sessionId, at = 0) => updates(sessionId, from + at),
    words: (sessionId, at = 0) => words(sessionId, from + at),
  };
}

function parse(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return { jsonrpc: 'no JSON' };
  }
}

const schema = JSON.parse(readFileSync(join(root, 'node_modules/@agentclientprotocol/sdk/schema/v1/schema.json'), 'utf8')) as {
  readonly $defs: Record<string, any>;
};
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
ajv.addSchema(schema, 'acp');
const defs = Object.entries(schema.$defs);
const findDef = (method: string, ending: RegExp): string | undefined => defs.find(([name, def]) => def['x-method'] === method && ending.test(name))?.[0];

function faultsOf(message: Message, asked: ReadonlyMap<unknown, string>): string[] {
  if (message.jsonrpc !== '2.0') return ['no message'];
  const method = message.method ?? asked.get(message.id);
  if (message.error) return [...checkBy('Error', message.error), ...(message.error.message === '' || message.error.message.includes('\n') ? ['message'] : [])];
  if (method === undefined) return message.id === null ? [] : ['an answer to nothing'];
  // Extension methods, and one that the protocol removed.
  if (method.startsWith('_') || method === 'session/set_model') return [];
  const name = message.method === undefined ? findDef(method, /Response$/) : findDef(method, message.id === undefined ? /Notification$/ : /Request$/);
  if (name === undefined) return [`nothing is known of ${method}`];
  const body = message.method === undefined ? message.result : message.params;
  return [...checkBy(name, body), ...unknownKeys(name, body)];
}

function checkBy(name: string, value: unknown): string[] {
  const check = ajv.getSchema(`acp#/$defs/${name}`);
  if (!check) return [`no schema ${name}`];
  return check(value) ? [] : [`${name}${check.errors?.[0]?.instancePath} ${check.errors?.[0]?.message}`];
}

/** The protocol forbids custom fields at the root of its objects. Its schema does not state that. */
function unknownKeys(name: string, value: any): string[] {
  const known = keysOf(schema.$defs[name]);
  const own = Object.keys(value ?? {}).filter((key) => !known.has(key));
  const update = name === 'SessionNotification' ? value.update : undefined;
  const variant = update && schema.$defs['SessionUpdate'].oneOf.find((one: any) => one.properties?.sessionUpdate?.const === update.sessionUpdate);
  const strange = variant ? Object.keys(update).filter((key) => !keysOf(variant).has(key)) : [];
  return [...own, ...strange].map((key) => `${name} has a strange field ${key}`);
}

function keysOf(def: any): Set<string> {
  if (!def) return new Set();
  const parts = [...(def.allOf ?? []), ...(def.anyOf ?? []), ...(def.oneOf ?? []), ...(def.$ref ? [schema.$defs[def.$ref.replace('#/$defs/', '')]] : [])];
  return new Set([...Object.keys(def.properties ?? {}), ...parts.flatMap((part: any) => [...keysOf(part)])]);
}

/** Provides the editors of a test. Each editor is ended after the test, and its messages must match the schema. */
export function useEditors(): Editor[] {
  const editors: Editor[] = [];
  afterEach(async () => {
    for (const editor of editors.splice(0)) {
      await editor.end();
      expect(editor.faults()).toEqual([]);
    }
  });
  return editors;
}
