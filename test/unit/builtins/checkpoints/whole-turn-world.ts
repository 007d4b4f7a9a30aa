// A server whose turns change every kind of undoable state, with functions that read and change each one.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PluginModule } from 'agent-harness/kernel';
import { type Harness, runTurn, type ScriptedModel, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { digestOfFiles, filesSubject, realRoot } from '../../../../plugins/trust/workspace-files.ts';

export interface Call {
  readonly name: string;
  readonly args: object;
}

export interface World {
  readonly harness: Harness;
  readonly model: ScriptedModel;
  turn(calls: readonly Call[]): Promise<string>;
  undo(body?: object): Promise<{ readonly status: number; readonly body: any }>;
  file(name: string, text?: string): Promise<string | undefined>;
  note(key: string, value?: string): Promise<string | undefined>;
  setting(key: string, value?: string | null): Promise<string | null>;
  reminders(change?: readonly string[]): Promise<readonly string[] | undefined>;
  counter(key: string, text?: string | null): string | undefined;
  living(): Promise<string>;
  plan(): Promise<readonly string[]>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const settingKeys = ['AGENT_MAX_ROUNDS', 'AGENT_TOOL_LAZY'] as const;
const text = { type: 'string' };
const input = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: names,
  additionalProperties: false,
});

function statePlugin(counters: Map<string, string>): PluginModule<never> {
  return {
    manifest: { name: 'keeps-state', requires: ['settings'] } as never,
    register(registry: any): void {
      const path = (): string => join(registry.plugin.dataDir, 'reminders.json');
      registry.add('undoable', { name: 'reminders', title: 'reminders in', files: ['reminders.json'] });
      registry.add('undoable', {
        name: 'counter',
        title: 'counter',
        read: (key: string) => counters.get(key) ?? null,
        keys: () => ['a', 'b'],
        restore(key: string, { from, to }: { from: string | null; to: string | null }) {
          if (counters.has('jam')) throw new Error('the counter is jammed');
          if ((counters.get(key) ?? null) !== from) return false;
          if (to === null) counters.delete(key);
          else counters.set(key, to);
          return true;
        },
      });
      const tool = (name: string, names: readonly string[], run: (args: any) => unknown): void =>
        registry.add('tool', {
          ...{ name, description: name, input: input(...names), effects: ['write'], undo: 'checkpoint', isEveryday: true },
          run: async (args: any) => {
            await run(args);
            return 'done';
          },
        });
      tool('add_reminder', ['text'], async ({ text: added }) => {
        await mkdir(dirname(path()), { recursive: true });
        await writeFile(path(), JSON.stringify([...(await readList(path())), added]));
      });
      tool('count', ['key', 'text'], ({ key, text: counted }) => counters.set(key, counted));
      tool('set_setting', ['key', 'value'], ({ key, value }) => registry.services.settings.patch({ harness: { env: { [key]: value } } }, 'queue'));
      registry.add('tool', {
        ...{ name: 'send_mail', description: 'Sends.', input: input('to'), effects: ['external'], isEveryday: true, needsApproval: false },
        run: () => 'sent',
      });
      registry.add('approval_rule', {
        name: 'all-of-it',
        decide: ({ tool: { plugin } }: any) => (plugin === 'keeps-state' ? { verdict: 'allow', reason: 'a test' } : undefined),
      });
    },
  };
}

async function readList(path: string): Promise<string[]> {
  return JSON.parse(await readFile(path, 'utf8').catch(() => '[]')) as string[];
}

const builtins = ['model-chat-completions', 'files', 'shell', 'checkpoints', 'memory', 'persona', 'plan'];

/** The caller must close it. */
export async function openWorld(): Promise<World> {
  const counters = new Map<string, string>();
  const model = await startScriptedModel([]);
  const start = (home?: string, workspace?: string): Promise<Harness> =>
    startHarness({
      builtins,
      environment: { ...model.environment, AGENT_PERSONA_ASK: '0' },
      modules: { 'keeps-state': statePlugin(counters) },
      ...(home === undefined ? {} : { home }),
      ...(workspace === undefined ? {} : { workspace }),
    });
  let harness = await start();
  // Trusts the workspace files: untrusted ones would make later calls of the turn require approval.
  const root = realRoot(harness.workspace);
  await harness.kernel.resolve('trust').decide(root, filesSubject, digestOfFiles(root), true);
  const body = async (method: string, path: string, sent?: object): Promise<any> => {
    const reply = await harness.call(method, path, sent);
    if (reply.status >= 400) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const listPath = (): string => join(harness.home, 'plugin-data', 'keeps-state', 'reminders.json');
  const world: World = {
    get harness() {
      return harness;
    },
    model,
    async turn(calls) {
      // write_file refuses to replace a file that changed since it was read.
      const reads = calls.flatMap(({ name, args }) => {
        const { path } = args as { path?: unknown };
        return name === 'write_file' && typeof path === 'string' && existsSync(join(harness.workspace, path)) ? [{ name: 'read_file', args: { path } }] : [];
      });
      model.push({ toolCalls: [...reads, ...calls] }, { text: 'Done.' });
      const { turnId, events } = await runTurn(harness, 'Do it');
      const failed = events.filter(({ kind, ok }) => kind === 'tool_result' && ok === false);
      if (failed.length > 0) throw new Error(`failed: ${JSON.stringify(failed.map(({ name, output }) => [name, output]))}`);
      return turnId;
    },
    undo: (sent = {}) => harness.call('POST', '/api/undo', sent),
    async file(name, content) {
      const path = join(harness.workspace, name);
      if (content !== undefined) await writeFile(path, content);
      return readFile(path, 'utf8').catch(() => undefined);
    },
    async note(key, value) {
      const notes = harness.kernel.resolve('notes');
      const place = await harness.kernel.resolve('chats').active();
      if (value !== undefined) await notes.remember(place, { type: 'fact', key, value, source: { kind: 'user', ref: 'by hand' } });
      const found = await notes.peek(place, `fact:${key}`, 'workspace');
      return found?.deletedAt === undefined ? found?.value : undefined;
    },
    async setting(key, value) {
      if (value !== undefined) await body('PUT', '/api/settings', { harness: { env: { [key]: value } } });
      const field = (await harness.kernel.resolve('settings').read()).fields.find((one) => one.key === key);
      return field?.source === 'preferences' ? String(field.value) : null;
    },
    async reminders(change) {
      if (change) {
        await mkdir(dirname(listPath()), { recursive: true });
        await writeFile(listPath(), JSON.stringify(change));
      }
      return readFile(listPath(), 'utf8').then(
        (read) => JSON.parse(read) as string[],
        () => undefined,
      );
    },
    counter(key, counted) {
      if (counted === null) counters.delete(key);
      else if (counted !== undefined) counters.set(key, counted);
      return counters.get(key);
    },
    living: async () => (await harness.kernel.resolve('persona').read()).slices.find(({ name }) => name === 'living')?.text ?? '',
    async plan() {
      const { chatId } = await harness.kernel.resolve('chats').active();
      return ((await harness.kernel.resolve('plans').read(chatId))?.items ?? []).map((item) => item.text);
    },
    async restart() {
      const { home, workspace } = harness;
      await harness.close({ keepFiles: true });
      harness = await start(home, workspace);
      await harness.kernel.emitter.call('app.start', []);
    },
    async close() {
      const faults = await harness.close();
      await model.close();
      if (faults.length > 0) throw new Error(`faults of unloading: ${String(faults)}`);
    },
  };
  return world;
}
