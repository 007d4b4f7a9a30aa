// What the built-ins show is made of views: the plan, a helper, a difference and usage in a terminal, in plain lines for eyes and for ears, and in an editor.
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from '../../helpers/acp-editor.ts';
import { startScriptedModel, type ScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';
import { startInTerminal, type TestTerminal } from '../../helpers/terminal.ts';

let model: ScriptedModel;
let server: ServerProcess;
let home: string;
let folder: string;
let terminal: TestTerminal | undefined;
let editor: Editor | undefined;

beforeAll(async () => {
  model = await startScriptedModel();
  home = await realpath(await mkdtemp(join(tmpdir(), 'cards-home-')));
  folder = await realpath(await mkdtemp(join(tmpdir(), 'cards-work-')));
  server = await startServerProcess({ home, workspace: folder, environment: { ...model.environment, AGENT_PERSONA_BOOTSTRAP: '0' } });
});
afterAll(async () => {
  await server?.stop();
  await model?.close();
  for (const one of [home, folder]) await rm(one, { recursive: true, force: true });
});
afterEach(async () => {
  terminal?.kill('SIGKILL');
  terminal = undefined;
  await editor?.end();
  editor = undefined;
});

const environment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: home, APP_HOME: home });
const goal = 'Count the files';
const isTask = ({ body }: ScriptedRequest): boolean => String(body.messages.find((one: any) => one.role === 'user')?.content ?? '').includes(goal);
const isParent = (request: ScriptedRequest): boolean => !isTask(request);
const calls = (name: string, args: object): ScriptedReply => ({ when: isParent, toolCalls: [{ name, args }] });
const items = [
  { text: 'Look around', status: 'done' },
  { text: 'Mend it', status: 'active' },
  { text: 'Tell', status: 'pending' },
];
const lines = Array.from({ length: 30 }, (_, at) => (at === 25 ? '-- 25' : `line ${at}`));
const edits = [
  { search: 'line 1\n', replace: 'ONE\n' },
  { search: '-- 25', replace: '++ 25' },
];

/** A plan, a helper and an edit, one after the other. */
async function play(): Promise<void> {
  await writeFile(join(folder, 'long.txt'), `${lines.join('\n')}\n`);
  model.play([
    calls('update_plan', { items }),
    calls('spawn_task', { goal }),
    { when: isTask, toolCalls: Array.from({ length: 6 }, () => ({ name: 'list_dir', args: { path: '.' } })) },
    { when: isTask, text: 'There is one.' },
    calls('read_file', { path: 'long.txt' }),
    calls('edit_file', { path: 'long.txt', edits }),
    { text: 'That was it.', always: true },
  ]);
}

/** Lines from the first that has the text to the one before the answer; what is another one each time is told by its kind. */
function cards(all: readonly string[]): string {
  const from = all.findIndex((line) => /update_plan/.test(line));
  const to = all.findIndex((line, at) => at > from && /That was it\./.test(line));
  expect([from >= 0, to > from], all.join('\n')).toEqual([true, true]);
  return (
    all
      .slice(from, to)
      // The terminal tells a time from a second on, so on a busy machine only.
      .map((line) =>
        line
          .replaceAll(/ {2}\d+(\.\d)? m?s\b/g, '')
          .replaceAll(/\b\d+(\.\d)? m?s\b/g, '… s')
          .trimEnd(),
      )
      .join('\n')
  );
}

test('the terminal shows them in the cards of their calls, and the plan over the field', async () => {
  await play();
  const tty = (terminal = startInTerminal(['tui', '--new'], { folder, environment: environment(), columns: 90, rows: 60 }));
  await tty.shows(/\/ commands {2}@ files/);
  tty.type('go\r');
  await tty.holds(/That was it\./);
  await tty.shows(/\/ commands {2}@ files/);
  expect(cards(tty.scrolled())).toMatchSnapshot();
  await tty.shows(/Plan, 2 of 3: Mend it\s+☑ Look around\s+▸ Mend it\s+☐ Tell/);
});

test('plain lines for ears, and usage among them', async () => {
  await play();
  const tty = (terminal = startInTerminal(['chat', '--new', '--plain'], { folder, environment: environment(), columns: 120, rows: 60 }));
  await tty.holds(/You:/);
  tty.type('go\r');
  await tty.holds(/That was it\./);
  expect(cards(tty.scrolled())).toMatchSnapshot();
  tty.type('/view usage\r');
  await tty.holds(/By model/);
  const usage = tty.scrolled();
  const from = usage.findLastIndex((line) => /Tokens in/.test(line));
  expect(usage.slice(from, from + 5).map((line) => line.replaceAll(/[\d.,]+/g, '#').trimEnd())).toMatchSnapshot();
});

test('plain lines for eyes', async () => {
  await play();
  const { stderr } = await promisify(execFile)(process.execPath, [join(root, 'dist/main.mjs'), 'run', 'go'], { cwd: folder, env: environment() });
  expect(cards([...stderr.split('\n'), 'That was it.'])).toMatchSnapshot();
});

test('an editor has the plan and the helper as markdown, and the difference as it draws one', async () => {
  await play();
  const agent = (editor = startEditor({ home, workspace: folder }));
  await agent.initialize();
  const session = await agent.newSession();
  await agent.prompt(session, 'go');
  const shown = new Map(
    agent
      .updates(session)
      .filter(({ sessionUpdate, content }) => sessionUpdate === 'tool_call_update' && content?.length > 0)
      .map(({ toolCallId, content }): [string, any] => [toolCallId, content]),
  );
  const contents = [...shown.values()].map((content) => JSON.parse(JSON.stringify(content).replaceAll(folder, '/work')));
  expect(contents).toMatchSnapshot();
  expect(agent.faults()).toEqual([]);
});

test('usage of one kind, with its days: in the terminal, in plain lines, on the command line and in an editor', async () => {
  const asked = 'usage days=2 purpose=chat';
  await play();
  await promisify(execFile)(process.execPath, [join(root, 'dist/main.mjs'), 'run', 'go'], { cwd: folder, env: environment() });
  /** Days, figures and how many rows there are are others each time. */
  const shape = (text: string): string => {
    const lines = text
      .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'day')
      .replaceAll(/ [█▓▒]{2,}/g, '')
      .replaceAll(/[─-]{2,}:?/g, '─')
      .replaceAll(/\d[\d.]*(?:,\d{3})*/g, '#')
      .replaceAll(/ {2,}/g, '  ')
      .split('\n');
    return lines.filter((line, at) => line === '' || line !== lines[at - 1]).join('\n');
  };
  const run = (...words: string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [join(root, 'dist/main.mjs'), 'view', ...words], { cwd: folder, env: environment() });
  const { stdout } = await run(...asked.split(' '));
  expect(shape(stdout)).toMatchSnapshot();
  const data = JSON.parse((await run(...asked.split(' '), '--json')).stdout);
  expect(data.parameters.values).toMatchObject({ days: 2, purpose: 'chat', rows: 20 });
  expect(data.blocks.find(({ title }: any) => title === 'By chat').rows[0].opens.chat).toMatch(/^chat_/);

  const tty = (terminal = startInTerminal(['tui', '--new'], { folder, environment: environment(), columns: 90, rows: 60 }));
  await tty.shows(/\/ commands {2}@ files/);
  tty.type(`/view ${asked}\r`);
  await tty.holds(/Shown with: Days 2, Chat –, Purpose chat/);
  expect(tty.scrolled().join('\n')).toMatch(/By purpose\s+Purpose\s+Share\s+Calls\s+In\s+Cached\s+Out\s+Cost\s+─[─\s]+chat\s+100 %/);
  terminal.kill('SIGKILL');

  const plain = (terminal = startInTerminal(['chat', '--new', '--plain'], { folder, environment: environment(), columns: 120, rows: 60 }));
  await plain.holds(/You:/);
  plain.type(`/view ${asked}\r`);
  await plain.holds(/Shown with: Days 2, Chat –, Purpose chat/);
  expect(plain.scrolled().join('\n')).toMatch(/By purpose\s+- Purpose: chat\s+Share: 100 %/);

  const agent = (editor = startEditor({ home, workspace: folder }));
  await agent.initialize();
  const session = await agent.newSession();
  await agent.prompt(session, `/view ${asked}`);
  expect(shape(agent.words(session))).toMatchSnapshot();
  expect(agent.faults()).toEqual([]);
});
