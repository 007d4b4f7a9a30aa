// Tests views of two plugins, one of them isolated, in each client: terminal, plain mode, command line, editor.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Ended } from '../../helpers/cli-program.ts';
import { createCommandLine } from '../../helpers/command-line.ts';
import { startEditor, type Editor } from '../../helpers/acp-editor.ts';
import { isOfTurn, type ScriptedReply, type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { root } from '../../helpers/sources.ts';
import { startInTerminal, type TestTerminal } from '../../helpers/terminal.ts';

let { home, workspace: folder, model, server } = {} as ServerWorld;
useServer((world) => void ({ home, workspace: folder, model, server } = world), {
  environment: () => ({ AGENT_PERSONA_BOOTSTRAP: '0' }),
  async prepare({ home: place }) {
    await mkdir(join(place, 'plugins'));
    await copyFile(join(root, 'test/helpers/sample-view.mjs'), join(place, 'plugins/sample-view.mjs'));
    const example = await readFile(join(root, 'examples/plugins/reading-list.mjs'), 'utf8');
    await writeFile(join(place, 'plugins/reading-list.mjs'), example.replace("name: 'reading-list',", "name: 'reading-list',\n  isolation: 'child',"));
  },
});
let terminal: TestTerminal | undefined;
let editor: Editor | undefined;

afterEach(async () => {
  terminal?.kill('SIGKILL');
  terminal = undefined;
  await editor?.end();
  editor = undefined;
});

const play = (): void =>
  model.play([
    { toolCalls: [{ name: 'show_sample', args: {} }], when: isOfTurn },
    { text: 'That was it.', always: true },
  ]);
const environment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: home, APP_HOME: home });

const app = async (...argv: readonly string[]): Promise<Ended> =>
  (await createCommandLine({ builtins: ['cli'], folders: { home, workspace: folder } })).run(argv);

function between(lines: readonly string[], first: string, last: string): string {
  const from = lines.findLastIndex((line) => line.trimStart().startsWith(first));
  const to = lines.findIndex((line, at) => at > from && line.trimStart().startsWith(last));
  expect([from >= 0, to > from], lines.join('\n')).toEqual([true, true]);
  return lines
    .slice(from, to + 1)
    .map((line) => line.trimEnd())
    .join('\n');
}

test('lists and shows views and runs their actions on the command line, also of an isolated plugin', async () => {
  const listed = await app('view');
  expect(listed.stdout).toMatch(/^reading-list +Books, and how far you are\.$/m);
  expect((await app('view', 'sample')).stdout).toMatchSnapshot();
  expect(JSON.parse((await app('view', 'sample', '--json')).stdout)).toMatchObject({ name: 'sample', title: 'Everything' });
  expect((await app('view', 'tides', 'days=30', 'yard=south')).stdout).toContain('Shown with: Days 30, Yard south');
  const added = await app('view', 'reading-list', 'add', 'title=Ships of oak', 'pages=420', 'begun=yes');
  expect(added).toMatchObject({
    code: 0,
    stderr: '“Ships of oak” is on the list.\n',
    stdout: expect.stringMatching(/^Ships of oak +420 +▸ under way +\[b1\]$/m),
  });
  expect(await app('view', 'reading-list', 'remove', 'b1')).toMatchObject({
    code: 2,
    stderr: 'Take this book off the list? Repeat the command with --yes at the end.\n',
  });
  expect(await app('view', 'reading-list', 'add', 'pages=3')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The action 'add' of the view 'reading-list' was not run: Title is needed."),
  });
  expect((await app('view', 'reading-list', 'remove', 'b1', '--yes')).stdout).toContain('No entries.');
  expect(await app('view', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no view 'nothing'") });
});

test('shows views in tool cards and for commands in the terminal, and runs their actions', async () => {
  play();
  const tty = (terminal = startInTerminal(['tui', '--new'], { folder, environment: environment(), columns: 100, rows: 50 }));
  await tty.shows(/\/ commands {2}@ files/);
  tty.type('go\r');
  await tty.holds(/That was it\./);
  await tty.shows(/\/ commands {2}@ files/);
  const card = between(tty.scrolled(), '✓ show_sample', 'That was it.');
  expect(card).toMatch(/^ {2}Words with weight and code\.$.*^ {2}Harbour \| one +12 +\$3\.50 +☑ done$.*^ {2}Tue +█+▓+ 12$/ms);
  expect(card).toContain('… 13 more lines, ctrl+t shows them');
  tty.type('/view sample\r');
  await tty.holds(/Close: \/view sample close <row>/);
  const shown = between(tty.scrolled(), 'Everything', 'Close: /view');
  expect(shown).toMatch(/^ {2}Harbour \| one +12 +\$3\.50 +☑ done +\[p1\]$.*^ {2}@@ -1,2 \+1,2 @@ \[h1\]$.*^ {2}Hull: █+░+ 40 %/ms);
  expect(shown).toContain('  Add a step: /view sample add text=… [notes=…] [days=1…90] [urgent=yes|no] [yard=north|south]');
  tty.type('/view reading-list add title="From the terminal"\r');
  await tty.holds(/“From the terminal” is on the list\./);
  await tty.holds(/From the terminal +300 +☐ open +\[b\d\]/);
});

test('shows views in plain mode', async () => {
  play();
  const tty = (terminal = startInTerminal(['chat', '--new', '--plain'], { folder, environment: environment(), columns: 140, rows: 50 }));
  await tty.holds(/^You: $|You:/m);
  tty.type('go\r');
  await tty.holds(/Agent: That was it\./);
  expect(between(tty.scrolled(), 'Everything', 'Agent: That was it.')).toMatchSnapshot();
  tty.type('/view reading-list add title="In plain lines"\r');
  await tty.holds(/Book: In plain lines/);
});

test('sends views to an editor as Markdown and runs actions by command', async () => {
  play();
  const agent = (editor = startEditor({ home, workspace: folder }));
  await agent.initialize();
  const session = await agent.newSession();
  await agent.prompt(session, 'go');
  // A call finished before its first update arrives as one message.
  const shown = agent
    .updates(session)
    .filter(({ sessionUpdate, content }) => /^tool_call/.test(sessionUpdate) && content?.length > 0)
    .at(-1);
  expect(shown, JSON.stringify([agent.updates(session), model.requests.map(({ body }) => body.messages.at(-1))])).toBeDefined();
  const parts = shown.content.map((part: any) => (part.type === 'diff' ? { ...part, path: part.path.replace(folder, '/work') } : part.content.text));
  expect(parts).toMatchSnapshot();
  const from = agent.received.length;
  await agent.prompt(session, '/view reading-list add title="In an *editor*" pages=12');
  const words = agent.words(session, from);
  expect(words).toContain('“In an \\*editor\\*” is on the list.');
  expect(words).toMatch(/^\| In an \\\*editor\\\* \| 12 \| open \| `b\d` \|$/m);
  expect(words).toContain('- Add: `/view reading-list add title=… [pages=1…10000] [begun=yes|no]`');
  expect(agent.faults()).toEqual([]);
});

test('shows a plan, a task and a diff in the tool cards of the terminal and an editor', async () => {
  const isTask = ({ body }: ScriptedRequest): boolean => JSON.stringify(body.messages).includes('"role":"user","content":"Count the files');
  const call = (name: string, args: object): ScriptedReply => ({ when: (request) => !isTask(request), toolCalls: [{ name, args }] });
  const items = ['done', 'active', 'pending'].map((status) => ({ text: `It is ${status}`, status }));
  const playBuiltIns = async (): Promise<void> => {
    await writeFile(join(folder, 'long.txt'), 'one\n-- two\n');
    model.play([
      call('update_plan', { items }),
      call('spawn_task', { goal: 'Count the files' }),
      { when: isTask, toolCalls: Array.from({ length: 6 }, () => ({ name: 'list_dir', args: { path: '.' } })) },
      { when: isTask, text: 'There is one.' },
      call('read_file', { path: 'long.txt' }),
      call('edit_file', { path: 'long.txt', edits: [{ search: '-- two', replace: '++ two' }] }),
      { text: 'That was it.', always: true },
    ]);
  };
  await playBuiltIns();
  const tty = (terminal = startInTerminal(['tui', '--new'], { folder, environment: environment(), columns: 90, rows: 60 }));
  await tty.shows(/\/ commands {2}@ files/);
  tty.type('go\r');
  await tty.holds(/That was it\./);
  const shown = tty.scrolled().join('\n');
  expect(shown).toMatch(/update_plan.*\s+☑ It is done\s+▸ It is active\s+☐ It is pending/);
  expect(shown).toMatch(/spawn_task Count the files.*\s+… 3 earlier ones\s+(?:☑ list_dir {2}\.\s+){3}There is one\.\s+\(2 rounds, 6 calls\)/);
  expect(shown).toMatch(/edit_file long\.txt.*\s+@@ -1,2 \+1,2 @@\s+one\s+--- two\s+\+\+\+ two/);

  await playBuiltIns();
  const agent = (editor = startEditor({ home, workspace: folder }));
  await agent.initialize();
  const session = await agent.newSession();
  await agent.prompt(session, 'go');
  const updates = agent.updates(session).filter(({ sessionUpdate, content }) => /^tool_call/.test(sessionUpdate) && content?.length > 0);
  const contents = [...new Map(updates.map(({ toolCallId, content }) => [toolCallId, content])).values()];
  expect(contents).toMatchObject([
    [{ content: { text: '1. [x] It is done\n2. [ ] It is active (under way)\n3. [ ] It is pending' } }],
    [{ content: { text: expect.stringMatching(/^Count the files\n\n1\. \[x\] list\\_dir/) } }, { content: { text: expect.stringContaining('There is one.') } }],
    [{ content: { text: expect.stringContaining('-- two') } }],
    [{ type: 'diff', path: join(folder, 'long.txt'), oldText: expect.stringContaining('-- two'), newText: expect.stringContaining('++ two') }],
  ]);
  expect(agent.faults()).toEqual([]);
});

test('strips terminal escape sequences from plugin views', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u202eabc\u0007';
  await server.call('POST', '/api/views/reading-list/actions/add', { input: { title: evil } });
  const { stdout } = await app('view', 'reading-list');
  expect(stdout).toContain(']0;owned');
  expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
  expect((await server.call('POST', '/api/commands', { name: 'view', args: 'reading-list' })).body.text).not.toMatch(/[\u001b\u0007\u202e]/);
});
