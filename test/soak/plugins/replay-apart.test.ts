// A recorded turn is played apart with another version of a plugin, without one, or under another setting of one; what the plugin tries reaches nobody.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProgram } from '../../helpers/program.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let folder: string;
let home: string;
let workspace: string;
let model: ScriptedModel;
let server: ServerProcess;
const greeter = (verse: string): string => `export const manifest = { name: 'greeter',
  config: { type: 'object', properties: { verse: { type: 'string', default: '${verse}', env: 'AGENT_GREETER_VERSE', title: 'Verse', description: 'What it says.' } } } };
export function register(registry, emitter) {
  emitter.tap('prompt.build', (prompt) => ({ ...prompt, tail: [...prompt.tail, { role: 'system', text: registry.config.verse }] }));
}
`;

const isTurn = ({ body }: { readonly body: any }): boolean => (body.tools ?? []).length > 0;
/** Asks a model by itself, under marks that are new each time, as the product's own plugins do. */
const asker = (...subjects: string[]): string => `export const manifest = { name: 'asker', requires: ['models'] };
export function register({ services }, emitter) {
  emitter.tap('prompt.build', async (prompt, turn) => {
    const said = [];
    for (const subject of ${JSON.stringify(subjects)}) {
      const mark = '==== ' + Math.random().toString(36).slice(2, 10).padEnd(12, '0') + ' ====';
      const request = { system: 'Say a ' + subject + '.', messages: [{ role: 'user', text: mark + turn.text + mark }], tools: [], maxTokens: 10, purpose: subject, plugin: 'asker', chatId: turn.chatId, turnId: turn.turnId };
      const limit = { ms: 5000, signals: [turn.signal] };
      said.push(subject + ': ' + (await services.models.complete(request, limit).then((reply) => reply.text, (fault) => fault.code)));
    }
    return { ...prompt, tail: [...prompt.tail, { role: 'system', text: said.join(', ') }] };
  });
}
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-apart-test-'));
  [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  await mkdir(join(home, 'plugins'), { recursive: true, mode: 0o700 });
  await mkdir(workspace);
  await writeFile(join(home, 'plugins', 'greeter.mjs'), greeter('Greet in verse.'));
  await writeFile(join(home, 'plugins', 'asker.mjs'), asker('colour'));
  await writeFile(join(workspace, 'a.txt'), 'Ships of oak.');
  model = await startScriptedModel();
  server = await startServerProcess({ home, workspace, environment: { ...model.environment, AGENT_WORKSPACE_ROOT: workspace } });
  model.push(
    { text: 'blue', always: true, when: ({ body }) => JSON.stringify(body).includes('Say a colour') },
    { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }], when: isTurn },
    { text: 'It says ships.', when: isTurn },
  );
  const { body } = await server.call('POST', '/api/message', { text: 'Read it.' });
  const replays = join(home, 'chats', body.chatId, 'replays');
  await vi.waitFor(async () => expect(await readdir(replays)).toHaveLength(1), { timeout: 20_000 });
});
afterAll(async () => {
  await server.stop();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

async function plugin(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function replay(...options: string[]): Promise<any> {
  const program = startProgram(['replay', 'last', '--json', ...options], {
    environment: { HOME: home, APP_HOME: home, ...model.environment },
    folder: workspace,
  });
  await new Promise((resolve) => program.child.once('close', resolve));
  const said = program.output();
  return said.startsWith('{') ? JSON.parse(said) : said;
}

test('another version of a plugin changes the request, and nothing else differs; nobody is asked, and nothing is left behind', async () => {
  const asked = model.requests.length;
  const { differs, events } = await replay('--plugin', await plugin('other.mjs', greeter('Greet in one word.')));
  expect(differs.key).toBe('0/stream//0');
  expect(differs.recorded.messages.at(-1)).toEqual({ role: 'system', text: 'Greet in verse.' });
  expect(differs.changed.messages.at(-1)).toEqual({ role: 'system', text: 'Greet in one word.' });
  expect({ ...differs.changed, messages: differs.changed.messages.slice(0, -1) }).toEqual({
    ...differs.recorded,
    messages: differs.recorded.messages.slice(0, -1),
  });
  expect(events.at(-1)).toMatchObject({ kind: 'turn_end', error: { code: 'differs' } });
  expect(model.requests).toHaveLength(asked);
  expect(await readdir(join(home, 'plugins'))).toEqual(['asker.mjs', 'greeter.mjs']);
  expect((await readdir(tmpdir())).filter((name) => /^replay-apart-\w{6}$/.test(name))).toEqual([]);
});

test('the same version under another file name, and a change that changes nothing, go as the turn went', async () => {
  expect(await replay('--plugin', await plugin('again.mjs', greeter('Greet in verse.')))).toMatchObject({ isLive: true, notRun: [] });
  const same = await replay('--plugin', await plugin('again.mjs', greeter('Greet in verse.')));
  expect(same.differs).toBeUndefined();
  expect(same.difference).toBeUndefined();
});

test('without a plugin its part of the request is gone; with --ask-model the model answers what follows', async () => {
  const { differs } = await replay('--without', 'greeter');
  expect(differs.recorded.messages).toHaveLength(differs.changed.messages.length + 1);
  model.push({ text: 'Plain ships.', when: isTurn });
  const answered = await replay('--without', 'greeter', '--ask-model');
  expect(answered).toMatchObject({ asked: 1, notRun: [] });
  expect(answered.events).toContainEqual(expect.objectContaining({ kind: 'text', delta: 'Plain ships.' }));
});

test('a plugin that refuses a call, changes its result or sends the answer back shows as that', async () => {
  const wary = (body: string): string => `export const manifest = { name: 'wary' };\nexport function register(registry, emitter) { ${body} }\n`;
  const refused = await replay('--plugin', await plugin('wary.mjs', wary("emitter.tap('tool.before', () => ({ deny: 'Not today.' }));")));
  expect(refused.events).toContainEqual(expect.objectContaining({ kind: 'tool_result', ok: false, output: expect.stringContaining('Not today.') }));
  expect(refused.differs.key).toBe('0/stream//1');
  const other = await replay('--plugin', await plugin('wary.mjs', wary("emitter.tap('tool.prepare', (call) => ({ ...call, args: { path: 'b.txt' } }));")));
  expect(other.notRun).toEqual(['read_file']);
  const after = wary("emitter.tap('tool.after', (outcome) => (outcome.ok ? { ...outcome, output: 'Ships of iron.' } : outcome));");
  const changed = await replay('--plugin', await plugin('wary.mjs', after));
  expect(changed.events).toContainEqual(expect.objectContaining({ kind: 'tool_result', ok: true, output: 'Ships of iron.' }));
  const ended = wary("emitter.tap('turn.finalize', (answer) => ({ ...answer, sendBack: 'Say more.' }));");
  expect((await replay('--plugin', await plugin('wary.mjs', ended))).differs).toMatchObject({ key: '0/stream//2' });
});

test('a plugin hears the events of the turn, and reads its chat, as in the server', async () => {
  const listener = `export const manifest = { name: 'listener', requires: ['eventLog', 'chats'] };
export function register({ services }, emitter) {
  const heard = [];
  for (const kind of ['message_accepted', 'turn_start', 'tool_result']) emitter.on(kind, (event) => heard.push(event.kind ?? kind));
  emitter.tap('prompt.build', async (prompt, { chatId }) => {
    await services.eventLog.flushed(chatId);
    const kept = [];
    for await (const event of services.eventLog.read(chatId)) if (heard.includes(event.kind)) kept.push(event.kind);
    const { workspaceRoot } = await services.chats.get(chatId);
    return { ...prompt, tail: [{ role: 'system', text: heard.join() + ' ' + kept.join() + ' ' + workspaceRoot }] };
  });
}
`;
  const { differs, faults } = await replay('--plugin', await plugin('listener.mjs', listener));
  expect(faults).toEqual([]);
  expect(differs.changed.messages.at(-1).text).toBe(`message_accepted,turn_start message_accepted,turn_start ${workspace}`);
});

test('what a plugin asked a model is answered from the record; what it did not ask then has no answer, and the model is not asked', async () => {
  const asked = model.requests.length;
  const { differs, unanswered } = await replay('--plugin', await plugin('asker.mjs', asker('colour', 'number')));
  const [recorded, changed] = [differs.recorded, differs.changed].map(({ messages }) => messages.at(-2).text);
  expect([recorded, changed]).toEqual(['colour: blue', 'colour: blue, number: REPLAY_ERR_NOT_RECORDED']);
  expect(unanswered).toEqual(['asker (number)']);
  expect(model.requests).toHaveLength(asked);
  // Asked with another message, the same question is another one.
  expect(await replay('--setting', 'AGENT_GREETER_VERSE=x', '--prompt', 'Write it.')).toMatchObject({ unanswered: ['asker (colour)'] });
});

test('another setting of a plugin counts, a secret one and one that nobody has do not', async () => {
  const { differs } = await replay('--setting', 'AGENT_GREETER_VERSE=Greet in song.');
  expect([differs.recorded, differs.changed].map(({ messages }) => messages.at(-1).text)).toEqual(['Greet in verse.', 'Greet in song.']);
  expect((await replay('--setting', 'AGENT_GREETER_VERSE=Greet in song.', '--setting', 'AGENT_MAX_ROUNDS=1', '--prompt', 'Sing.')).events[0].kind).toBe(
    'turn_start',
  );
  expect(await replay('--setting', 'AGENT_API_KEY=x')).toContain('played without secrets');
  expect(await replay('--setting', 'AGENT_NOTHING=x')).toContain("no setting 'AGENT_NOTHING'");
});

test('a plugin in the process writes no file but there, reaches no server, and starts no program', async () => {
  let heard = 0;
  const open = createServer((_, reply) => void (heard++, reply.end('Told.'))).listen(0, '127.0.0.1');
  await new Promise((resolve) => open.once('listening', resolve));
  const target = join(workspace, 'written.txt');
  const text = `import { writeFileSync } from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
export const manifest = { name: 'greeter', isolation: 'process' };
export function register(registry, emitter) {
  emitter.tap('prompt.build', async (prompt) => {
    const tries = { file: () => writeFileSync(${JSON.stringify(target)}, 'x'), net: () => fetch('http://127.0.0.1:${(open.address() as AddressInfo).port}/'),
      program: () => execFileSync('touch', [${JSON.stringify(target)}]), child: () => spawn('touch', [${JSON.stringify(target)}]) };
    const said = [];
    for (const [name, one] of Object.entries(tries)) said.push(name + ' ' + (await Promise.resolve().then(one).then(() => 'went', () => 'refused')));
    return { ...prompt, tail: [{ role: 'system', text: said.join(', ') }] };
  });
}
`;
  const { differs } = await replay('--plugin', await plugin('greeter.mjs', text));
  open.close();
  expect(differs.changed.messages.at(-1).text).toBe('file refused, net refused, program refused, child refused');
  expect(heard).toBe(0);
  await expect(readFile(target)).rejects.toThrow('ENOENT');
});

test('what goes wrong in a plugin there is told', async () => {
  const broken = greeter('x').replace('(prompt) => (', '(prompt) => missing(');
  const { faults, differs } = await replay('--plugin', await plugin('greeter.mjs', broken));
  expect(faults.join()).toContain('missing is not defined');
  expect(differs.changed.messages).toHaveLength(differs.recorded.messages.length - 1);
});

test('one that does not load says why, and so does one that nobody finds or can leave out', async () => {
  expect(
    await replay(
      '--plugin',
      await plugin('greeter.mjs', 'export const manifest = { name: "greeter" };\nexport function register() { throw new Error("no luck"); }'),
    ),
  ).toContain('no luck');
  expect(await replay('--plugin', join(folder, 'nowhere.mjs'))).toContain('There is no plugin');
  expect(await replay('--without', 'nobody')).toContain("no plugin 'nobody'");
  expect(await replay('--without', 'agent')).toContain('cannot be left out');
});
