// Tests support files: they contain only the selected parts, replay byte-identically in another home folder, and match the preview.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Emitter } from 'agent-harness/kernel';
import { beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { useFolder } from '../../../helpers/use-opened.ts';
import { type Harness, type ScriptedModel, type ScriptedReply, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';

/** Each value occurs in exactly one source. */
const canary = {
  earlier: 'canary-earlier-7301',
  otherChat: 'canary-other-chat-7302',
  memory: 'canary-memory-7303',
  dotenv: 'canary-dotenv-7304',
  setting: 'canary-setting-7305',
  file: 'canary-file-7306',
  state: 'canary-state-7307',
  environment: 'canary-environment-7308',
  log: 'canary-log-7309',
  instructions: 'canary-instructions-7310',
  note: 'canary-note-7313',
  unread: 'canary-unread-7311',
  fault: 'canary-fault-7312',
};
const home = useFolder('support-home-');
const workspace = useFolder('support-work-');
const outFolder = useFolder('support-out-');
let model: ScriptedModel;
let harness: Harness;

const builtins = ['cli', 'files', 'checkpoints', 'memory', 'replay', 'support-file', 'failure-log', 'model-chat-completions'];
/** Adds text to the prompt outside the conversation. */
const promptPlugin = {
  manifest: { name: 'canary' },
  register(_registry: unknown, emitter: Emitter) {
    emitter.tap('prompt.build', (prompt) => ({
      ...prompt,
      system: [...prompt.system, { id: 'canary', text: canary.instructions }],
      tail: [...prompt.tail, { role: 'user', text: canary.note }],
    }));
  },
};
const start = (): Promise<Harness> =>
  startHarness({
    home,
    workspace,
    builtins,
    modules: { canary: promptPlugin as never },
    environment: { ...model.environment, AGENT_SESSION_MODE: 'coding', OTHER_VARIABLE: canary.environment },
  });

beforeEach(async () => {
  await writeFile(join(home, '.env'), `OTHER_PASSWORD=${canary.dotenv}\n`);
  model = await startScriptedModel();
  harness = await start();
});

async function say(text: string, replies: readonly ScriptedReply[], chatId?: string): Promise<{ chatId: string; turnId: string }> {
  model.push(...replies);
  const said = (await harness.call('POST', '/api/message', { text, ...(chatId === undefined ? {} : { chatId }) })).body;
  await harness.kernel.resolve('turns').ended(said.turnId);
  const { chats, storage } = { chats: harness.kernel.resolve('chats'), storage: harness.kernel.resolve('storage') };
  await expect.poll(async () => (await storage.list(join(chats.folder(said.chatId), 'replays'))).some((name) => name.startsWith(said.turnId))).toBe(true);
  return said;
}

const command = ({ kernel }: Harness, ...argv: string[]): ReturnType<typeof runCommandLine> => runCommandLine(kernel, argv);

const make = async (wish: object = {}): Promise<any> => (await harness.call('POST', '/api/support', wish)).body;

const working: ScriptedReply[] = [
  { reasoning: ['I ', 'look.'], text: ['First ', 'I read.'], toolCalls: [{ name: 'read_file', args: { path: 'a.txt' }, fragments: 3 }] },
  { toolCalls: [{ name: 'write_file', args: { path: 'b.txt', content: 'one\ntwo "three"\n' }, fragments: 4 }] },
  { text: ['Writ', 'ten.'] },
];

async function fillWorld(): Promise<{ chatId: string; turnId: string }> {
  await writeFile(join(workspace, 'a.txt'), `Ships: ${canary.file}\n`);
  await writeFile(join(workspace, 'unread.txt'), canary.unread);
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_FAST_MODEL: canary.setting } } });
  await mkdir(join(home, 'plugin-data', 'other'), { recursive: true });
  await writeFile(join(home, 'plugin-data', 'other', 'state.json'), JSON.stringify({ canary: canary.state }));
  await say(`Hello ${canary.otherChat}`, [{ text: 'Hi.' }]);
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  await say(
    `Remember ${canary.earlier}`,
    [{ toolCalls: [{ name: 'remember', args: { key: 'fact:port', content: canary.memory, kind: 'fact' } }] }, { text: 'Yes.' }],
    chatId,
  );
  await appendFile(join(home, 'failures.jsonl'), `${JSON.stringify({ at: new Date().toISOString(), chatId, error: canary.log })}\n`);
  harness.kernel.emitter.emit('error', { source: 'plugin', code: 'TOLD_ERR_FAULT', message: canary.fault });
  const said = await say('Copy it.', working, chatId);
  return said;
}

test('contains only the selected parts of a turn, without secrets and paths', async () => {
  const { chatId, turnId } = await fillWorld();
  const usual = await make({ chatId, turnId });
  expect(usual).toMatchObject({ turnId, isEqual: true });
  for (const [where, text] of Object.entries(canary)) expect(usual.text.includes(text), where).toBe(false);
  expect(usual.text).not.toContain(workspace);
  expect(usual.text).not.toContain(home);
  expect(usual.text).not.toContain(model.environment['AGENT_API_KEY']);
  if (homedir().length > 5) expect(usual.text).not.toContain(homedir());
  const { versions, plugins, parts, leftOut, turn } = JSON.parse(usual.text);
  expect([parts, leftOut]).toEqual([
    ['turn', 'versions', 'plugins'],
    ['settings', 'faults', 'results', 'requests', 'earlier', 'failedCalls'],
  ]);
  expect(versions).toMatchObject({ node: process.versions.node });
  expect(plugins).toContainEqual({ name: 'support-file', origin: 'builtin', state: 'active' });
  expect(turn.before).toMatchObject([{ kind: 'message_accepted', text: 'Copy it.' }]);

  const has = async (part: string): Promise<string[]> => {
    const { text } = await make({ chatId, turnId, parts: [part] });
    return Object.entries(canary).flatMap(([where, word]) => (text.includes(word) ? [where] : []));
  };
  expect(await has('results')).toEqual(['file']);
  expect(await has('earlier')).toEqual(['earlier', 'memory']);
  expect(await has('requests')).toEqual(['instructions', 'note']);
  expect(await has('settings')).toEqual(['setting']);
  expect(await has('faults')).toEqual(['fault']);
  expect(await has('failedCalls')).toEqual(['log']);
  expect(await has('versions')).toEqual([]);
});

test('replays byte-identically in an empty home folder for any selection and redaction, without running tools', async () => {
  const { chatId, turnId } = await fillWorld();
  const out = join(outFolder, 'file.json');
  const all = ['--with', 'results', '--with', 'requests', '--with', 'earlier', '--with', 'settings', '--with', 'faults', '--with', 'failedCalls'];
  const files: string[] = [];
  for (const options of [[], all, ['--strike', 'copy', '--strike', 'b.txt', '--strike', 'two'], [...all, '--strike', 'canary', '--without', 'plugins']]) {
    const path = `${out}.${files.length}.json`;
    expect(await command(harness, 'support', turnId, '--chat', chatId, ...options, '--out', path)).toMatchObject({ code: 0 });
    files.push(path);
  }
  expect(await command(harness, 'support', turnId, '--chat', chatId, '--out', files[0]!)).toMatchObject({ code: 1 });
  const struck = await readFile(files[2]!, 'utf8');
  for (const word of ['Copy', 'b.txt', 'two']) expect(struck).not.toContain(word);
  expect(await readFile(files[3]!, 'utf8')).not.toContain('canary');

  const other = await startHarness({ builtins, environment: { AGENT_MAX_ROUNDS: '1' } });
  for (const path of files) {
    expect(await command(other, 'replay', path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/The replay is identical, \d+ events\./) });
    expect(await command(other, 'support', 'open', path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/The replay is identical, \d+ events\./) });
  }
  const changed = (await readFile(files[0]!, 'utf8')).replace(/"delta": ?"First "/, '"delta":"Last  "');
  await writeFile(`${out}.changed.json`, changed);
  expect(await command(other, 'replay', `${out}.changed.json`)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('The replay differs from the recorded turn'),
  });
});

test('shows exactly the text that is saved and rejects saving any other', async () => {
  const { chatId, turnId } = await fillWorld();
  const read = async (query: string): Promise<any> => (await harness.call('GET', `/api/views/support?chatId=${chatId}&turn=${turnId}&${query}`)).body;
  const view = await read('results=true&strike=ships');
  const shown = async (query: string): Promise<string> => {
    let [text, page] = ['', 0];
    for (;;) {
      page++;
      const { blocks } = await read(`${query}&page=${page}`);
      for (const block of blocks) if (block.kind === 'text' && block.isPlain) text += block.text;
      const pages = blocks.find(({ title }: any) => title === 'Pages of the text')?.rows.length ?? 1;
      if (page >= pages) return text;
    }
  };
  const [action] = view.actions;
  const parameters = { turn: turnId, results: true, strike: 'ships' };
  const saved = (await harness.call('POST', `/api/views/support/actions/${action.id}`, { chatId, parameters })).body;
  expect(saved.file.text).toBe(await shown('results=true&strike=ships'));
  expect(saved.file.text).toContain(canary.file);
  expect(saved.file.text).not.toMatch(/ships/i);
  const refused = await harness.call('POST', `/api/views/support/actions/${action.id}`, { chatId, parameters: { turn: turnId } });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'no_action' } } });
  const table = view.blocks.find(({ title }: any) => title === 'Parts');
  expect(table.rows.map(({ id, cells }: any) => [id, cells[1]])).toContainEqual(['earlier', 'no']);
  // Unselected parts can be viewed too.
  expect(await shown('shown=earlier')).toContain(canary.earlier);
  expect((await harness.call('POST', '/api/message', { chatId, text: `/support ${turnId}` })).status).toBeLessThan(300);
});

test('rejects invalid requests and files with an error code', async () => {
  const { chatId, turnId } = await fillWorld();
  const code = async (body: object): Promise<string> => (await make(body)).error.code;
  expect(await code({ chatId, turnId, parts: ['nothing'] })).toBe('unknown_part');
  expect(await code({ chatId, turnId, strike: ['x'] })).toBe('invalid_word');
  expect(await code({ chatId, turnId, strike: ['"quoted"'] })).toBe('invalid_word');
  expect(await code({ chatId, turnId, strike: ['turn_end'] })).toBe('secret_left');
  expect(await code({ chatId, turnId, digest: '0'.repeat(64) })).toBe('changed');
  expect(await code({ chatId, turnId: 'turn_00000000000000000000000000' })).toBe('not_found');
  expect(await code({ chatId, turnId, other: 1 })).toBe('invalid_request');
  const path = join(home, 'other.json');
  for (const [text, why] of [
    ['{', 'SUPPORT_FILE_ERR_NOT_A_FILE'],
    ['{"supportFile":1,"turn":{"turnTest":1}}', 'REPLAY_ERR_INVALID_CHANGE'],
  ] as const) {
    await writeFile(path, text);
    expect(await command(harness, 'support', 'open', path)).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
  }
  const { text } = await make({ chatId, turnId });
  for (const broken of [
    text.replace(/"kind": ?"message_accepted"/, '"kind":7'),
    text.replace(/"on": ?"answer"/, '"on":"other"'),
    text.replace(/"lengths": ?\[/, '"lengths":["x",'),
  ]) {
    expect(broken).not.toBe(text);
    await writeFile(path, broken);
    expect(await command(harness, 'support', 'open', path)).toMatchObject({ code: 1, stderr: expect.stringContaining('REPLAY_ERR_INVALID_CHANGE') });
  }
});

test('removes its routes, view and commands when the plugin is disabled', async () => {
  await harness.call('PUT', '/api/plugins/support-file', { disabled: true });
  expect((await harness.call('POST', '/api/support', {})).status).toBe(404);
  expect((await harness.call('GET', '/api/views/support')).status).toBe(404);
  expect(
    harness.kernel
      .resolve('commands')
      .cli()
      .map(({ name }) => name),
  ).not.toContain('support');
  expect(
    harness.kernel
      .resolve('commands')
      .slash()
      .map(({ name }) => name),
  ).not.toContain('support');
  expect(
    harness.kernel
      .resolve('kernel')
      .report()
      .plugins.find(({ name }) => name === 'failure-log')?.state,
  ).toBe('active');
});
