// Tests the import of sessions, rules and MCP servers from the home folders of other agents, over the command line.
import '../../../helpers/plain-resolution.ts';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ended } from '../../../helpers/cli-program.ts';
import { createCommandLine } from '../../../helpers/command-line.ts';
import { useEach } from '../../../helpers/use-opened.ts';
import { claudeId, codexId, oldCodexId, opencodeId, plantClaudeCode, plantCodex, plantOpencode } from '../../../helpers/foreign-homes.ts';

const program = useEach(() => createCommandLine({ sharesStart: true }));

const homeOf = (): string => dirname(program.home);
const run = (line: string): Promise<Ended> => program.run(line.split(' '));
const json = async (line: string): Promise<any> => {
  const ended = await run(`${line} --json`);
  expect(ended.stderr).toBe('');
  return JSON.parse(ended.stdout);
};
const entriesOf = async (chatId: string): Promise<string[]> => {
  const { entries } = await json(`chats show ${chatId}`);
  return entries.map((entry: any) =>
    entry.kind === 'tool'
      ? `tool ${entry.name} ${entry.state}: ${entry.output}`
      : `${entry.kind}: ${entry.reasoning ? `(${entry.reasoning}) ` : ''}${entry.text}`,
  );
};

test('Claude Code: imports the active branch with tool results once and reports unreadable lines', async () => {
  plantClaudeCode(homeOf(), program.workspace);
  await program.serve();
  const shown = await run('import claude-code');
  expect(shown.stdout).toContain(claudeId);
  expect(shown.stdout).toMatch(new RegExp(`2026-03-04 10:00 .*${program.workspace} +Harbour test`));
  expect(shown.stdout).not.toContain('22222222-1111');
  expect(shown.stdout).toContain('MCP server lamps');
  expect(shown.stdout).toContain('LAMP_KEY');
  expect(shown.stdout + JSON.stringify(await json('import claude-code'))).not.toMatch(/sk-live|tok123456/);

  const trial = await run('import claude-code --all --dry-run');
  expect(trial.stdout).toContain('would be imported: 1');
  expect((await json('chats')).chats.map(({ imported }: any) => imported).filter(Boolean)).toEqual([]);

  const taken = await run('import claude-code --all --in-folders');
  expect(taken.stdout).toMatch(/✓ Harbour test: chat_\w{26}, 2 turns \(1 line could not be read\)\n1 session imported\.\n/);
  const [chat] = (await json('chats')).chats.filter(({ imported }: any) => imported);
  expect(chat).toMatchObject({
    ...{ title: 'Harbour test', imported: { from: 'claude-code', id: claudeId }, workspaceMode: 'folder', workspaceRoot: program.workspace },
    ...{ turns: 2, tags: ['claude-code'], busy: false },
  });
  expect(chat.updatedAt.slice(0, 10)).toBe('2026-03-04');
  expect(await entriesOf(chat.chatId)).toEqual([
    expect.stringMatching(/^announcement: This chat came from claude-code\./),
    'user: Why does the harbour test fail?',
    'assistant: (I look at the test first.) I read the test and the source.',
    'tool Read ok: expect(lamps).toBe(9)',
    'tool Bash failed: exit 1: 8 is not 9',
    'assistant: The lamp count is **8**, the test wants 9.',
    'user: Mend the source.',
    'assistant: Mended: it counts from one now.',
  ]);

  expect((await run('import claude-code --all')).stdout).toContain(`imported before as ${chat.chatId}\n0 sessions imported; 1 was imported before.`);
  await run(`chats delete ${chat.chatId}`);
  expect((await run(`import claude-code --session ${claudeId}`)).stdout).toContain(`in the trash (chats restore ${chat.chatId})`);
  await run(`chats restore ${chat.chatId}`);
  const again = (await run('chats list --json')).stdout;
  expect(JSON.parse(again).chats.filter(({ imported }: any) => imported)).toHaveLength(1);
});

test('Claude Code: imports rules as a note and AGENTS.md, and an encrypted server only after confirmation', async () => {
  plantClaudeCode(homeOf(), program.workspace);
  await program.serve();
  await run('import claude-code --session 1c2d');
  const ruled = await run('import claude-code --rules');
  expect(ruled.stdout).toContain('became a global note');
  expect(readFileSync(join(program.workspace, 'AGENTS.md'), 'utf8')).toBe('Run `make check` before you finish.\n');
  expect((await run('import claude-code --rules')).stdout).toContain('nothing: its folder has an AGENTS.md');

  const asked = await run('import claude-code --server lamps');
  expect(asked.stderr).toContain('Nothing was connected');
  expect(asked.code).toBe(3);
  expect(existsSync(join(program.home, 'integrations.json'))).toBe(false);
  const connected = await run('import claude-code --server lamps --yes');
  expect(connected).toMatchObject({ code: 0, stdout: expect.stringContaining('lamps is connected, with 1 tool.') });
  expect(readFileSync(join(program.home, 'integrations.json'), 'utf8')).not.toContain('sk-live');
  expect((await run('import claude-code')).stdout).toContain('a connection of this name exists');
  expect((await run('import claude-code --server nothing --yes')).code).toBe(1);
});

test('Codex: deduplicates messages, reads compressed rollouts, closes unfinished calls and lists servers', async () => {
  plantCodex(homeOf(), join(program.workspace, 'gone'));
  await program.serve();
  const listed = await json('import codex');
  expect(listed.sessions.map(({ id }: any) => id).sort()).toEqual([codexId, oldCodexId].sort());
  expect(listed.notes).toEqual(['1 session of a subagent is left out.']);
  expect(listed.servers).toEqual([
    expect.objectContaining({ name: 'lamps', command: 'npx -y lamps-mcp --key [redacted]', variables: ['TOKEN'], isHere: false }),
  ]);
  expect(listed.rules).toEqual([expect.objectContaining({ scope: 'global', becomes: 'note' })]);

  const taken = await json(`import codex --session ${codexId} --session ${oldCodexId}`);
  expect(taken.sessions).toEqual([
    expect.objectContaining({ id: codexId, isNew: true, turns: 2, brokenLines: 1 }),
    expect.objectContaining({ id: oldCodexId, isNew: true, turns: 1, brokenLines: 0 }),
  ]);
  const [{ chatId }, old] = taken.sessions;
  expect((await entriesOf(chatId)).slice(1)).toEqual([
    ...['user: Light the beacon.', 'assistant: (**Looking** for the beacon) ', 'tool shell ok: beacon.txt\n'],
    ...['tool apply_patch failed: Exit code: 1\nOutput:\nno such file', 'assistant: The beacon is lit.', 'user: Put it out again.'],
    'tool shell failed: Its result was not kept.',
  ]);
  expect((await entriesOf(old.chatId)).slice(1)).toEqual(['user: What is packed?', 'assistant: This is.']);
  expect((await json(`chats show ${chatId}`)).workspaceMode).toBe('scratch');
  expect((await run('import codex --since 2999-01-01')).stdout).toContain('0 sessions imported');
});

test('opencode: imports session files without injected text, and the database where Node supports SQLite', async () => {
  plantOpencode(homeOf(), program.workspace);
  await program.serve();
  const taken = await json('import opencode --all');
  expect(taken.sessions).toEqual([expect.objectContaining({ id: opencodeId, isNew: true, turns: 1, brokenLines: 1 })]);
  const expected = [
    'user: Which tide is it?\n[A file, not imported: tides.txt]',
    'assistant: (The table says.) ',
    'tool read ok: ebb',
    'tool bash failed: not found',
    'assistant: It is ebb.',
  ];
  expect((await entriesOf(taken.sessions[0].chatId)).slice(1)).toEqual(expected);
  const listed = await json('import opencode');
  expect(listed.servers.map(({ name, command, url }: any) => command ?? `${name} ${url}`)).toEqual(['npx lamps', 'far https://mcp.example/mcp']);
  expect(listed.notes).toEqual(['1 session of a subagent is left out.']);

  const other = await createCommandLine({ sharesStart: true });
  plantOpencode(dirname(other.home), other.workspace, true);
  const { stdout } = await other.run(['import', 'opencode', '--json']);
  const found = JSON.parse(stdout);
  if (process.getBuiltinModule('node:sqlite' as 'node:fs') === undefined) {
    expect(found.sessions).toEqual([]);
    expect(found.notes[0]).toMatch(/cannot be read with Node 20\.\d+\.\d+\. Use Node 22\.13 or later\./);
  } else {
    expect(found.sessions).toEqual([expect.objectContaining({ id: opencodeId, title: 'Tides', folder: other.workspace })]);
    expect(JSON.parse((await other.run(['import', 'opencode', '--all', '--json'])).stdout).sessions[0]).toMatchObject({
      isNew: true,
      turns: 1,
      brokenLines: 0,
    });
  }
});

test('exports a chat to JSON, imports it once, and lists bundles among the plugins', async () => {
  plantCodex(homeOf(), program.workspace);
  mkdirSync(join(program.home, 'plugins/reviews'), { recursive: true });
  writeFileSync(join(program.home, 'plugins/reviews/plugin.json'), '{"name":"reviews"}');
  expect((await run('plugins')).stdout).toMatch(/reviews +bundle +needs_trust/);
  await program.serve();
  expect((await run('plugins')).stdout).toMatch(/reviews +bundle +needs_trust/);
  const { chatId } = (await json(`import codex --session ${codexId}`)).sessions[0];
  expect((await run(`chats export ${chatId} --format json --out beacon.json`)).stdout).toBe('Written to beacon.json.\n');
  const back = await json('chats import beacon.json');
  expect(back).toMatchObject({ isNew: true, turns: 2 });
  const entries = (await entriesOf(back.chatId)).filter((entry) => !entry.startsWith('announcement'));
  expect(entries).toEqual((await entriesOf(chatId)).filter((entry) => !entry.startsWith('announcement')));
  expect((await run('chats import beacon.json')).stdout).toBe(`Imported before as ${back.chatId}.\n`);
  expect((await run(`chats export ${chatId}`)).stdout).toContain('## You · 2026-05-06 07:00\n\nLight the beacon.');
  expect((await run('chats import nowhere.json')).code).toBe(1);
  expect((await run(`chats export ${chatId} --format pdf`)).code).toBe(2);
});

test('rejects wrong arguments and reports zero sessions for an agent without data', async () => {
  expect((await run('import')).code).toBe(2);
  expect((await run('import cursor')).stderr).toContain('claude-code, codex, opencode');
  expect((await run('import codex --since never')).code).toBe(2);
  expect((await run('import codex --session nope')).stderr).toContain("has no session 'nope'");
  const empty = await run('import codex');
  expect(empty.code).toBe(0);
  expect(empty.stdout).toContain('Sessions of Codex on this machine: 0');
});
