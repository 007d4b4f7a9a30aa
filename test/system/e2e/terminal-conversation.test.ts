import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { startInTerminal, type TestTerminal } from '../../helpers/terminal.ts';

let { home, workspace: folder, model, server } = {} as ServerWorld;
useServer((world) => void ({ home, workspace: folder, model, server } = world));
let terminal: TestTerminal | undefined;

afterEach(() => terminal?.kill('SIGKILL'));

async function begin(argv: readonly string[] = ['tui', '--new'], more: Readonly<Record<string, string>> = {}): Promise<TestTerminal> {
  const environment = { HOME: home, APP_HOME: home, ...more };
  terminal = startInTerminal(argv, { folder, environment, before: 'for i in 1 2 3; do echo shell line $i; done' });
  await terminal.shows(/\/ commands/);
  return terminal;
}
const idle = /\/ commands {2}@ files/;
const asText = (body: unknown): string => JSON.stringify(body);

test('sends a message, shows the answer and leaves both in the scrollback on exit', async () => {
  model.play([{ text: ['Hello ', '**there**, ', 'friend.\n\n', '- one\n- two\n'] }]);
  const tty = await begin();
  tty.type('hi you');
  await tty.shows(/› hi you$/m);
  const { x, y } = tty.cursor();
  expect(tty.screen()[y]?.slice(0, x)).toBe('› hi you');
  tty.type('\r');
  await tty.holds(/Hello there, friend\.\n\n• one\n• two/);
  tty.type('\u0004');
  expect(await tty.ended).toBe(0);
  expect(tty.scrolled().slice(0, 3)).toEqual(['shell line 1', 'shell line 2', 'shell line 3']);
  expect(tty.scrolled().slice(tty.scrolled().indexOf('› hi you'))).toEqual(['› hi you', '', 'Hello there, friend.', '', '• one', '• two']);
  // The terminal modes of the shell are restored.
  expect(tty.raw().slice(tty.raw().lastIndexOf('\u001b[J'))).toMatch(/\?7h.*<u.*\?1004l.*\?2004l/s);
  expect(tty.raw()).not.toMatch(/\u001b\[[23]J|\?1049h|\?100[0236]h/);
});

test('keeps a rejected slash command in the input field', async () => {
  const tty = await begin();
  tty.type('/summarise the last ten files\r');
  await tty.shows(/There is no command '\/summarise'/);
  await tty.shows(/^› \/summarise the last ten files$/m);
});

test('approves, edits and denies calls, and passes the reason to the model', async () => {
  const call = (command: string) => ({ toolCalls: [{ name: 'run_command', args: { command } }] });
  model.play([call('echo first > a.txt'), call('echo second > b.txt'), call('echo third > c.txt'), { text: 'Done with all.' }]);
  const tty = await begin();
  tty.type('make files\r');
  const decide = async (shown: RegExp, ...keys: string[]): Promise<void> => {
    await tty.shows(shown);
    await tty.until('what it changes is known', () => !/A preview is running in a copy/.test(tty.screen().join('\n')));
    // Keys pressed just when the question or its preview appears do not answer it.
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const key of keys) tty.type(key);
  };
  await decide(/echo first > a\.txt[\s\S]*y approve/, 'y');
  await decide(/echo second > b\.txt[\s\S]*y approve/, 'e');
  await tty.shows(/› echo second > b\.txt/);
  tty.type('\u0001\u000becho changed > b.txt\r');
  await decide(/echo third > c\.txt[\s\S]*n deny/, 'n');
  await tty.shows(/Reason for the denial/);
  tty.type('not this one\r');
  await tty.holds(/Done with all\./);
  await tty.shows(idle);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('first\n');
  expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('changed\n');
  await expect(readFile(join(folder, 'c.txt'))).rejects.toThrow('ENOENT');
  expect(asText(model.requests.at(-1)?.body.messages)).toContain('not this one');
  expect(tty.scrolled().join('\n')).toMatch(/✓ run_command[\s\S]*– run_command[\s\S]*not this one/);
});

test('sets the reasoning effort with /effort and shows it in the status line', async () => {
  model.play([{ text: 'Thought through.' }]);
  const tty = await begin();
  tty.type('/effort high\r');
  await tty.shows(/scripted · effort high/);
  tty.type('think\r');
  await tty.holds(/Thought through\./);
  expect(model.requests.at(-1)?.body.reasoning_effort).toBe('high');
});

test('answers a question by number', async () => {
  model.play([{ toolCalls: [{ name: 'ask_user', args: { prompt: 'Which colour?', options: ['red', 'blue'] } }] }, { text: 'Blue it is.' }]);
  const tty = await begin();
  tty.type('ask me\r');
  await tty.shows(/\? Which colour\?[\s\S]*2\) blue/);
  await new Promise((resolve) => setTimeout(resolve, 500));
  tty.type('2');
  await tty.holds(/Blue it is\./);
  expect(asText(model.requests.at(-1)?.body.messages)).toContain('blue');
});

test('stops the turn with Escape, clears the field with Ctrl+C and exits on a second Ctrl+C', async () => {
  model.play([{ text: ['This is ', 'never ended'], stallAfter: 2 }]);
  const tty = await begin();
  tty.type('begin\r');
  await tty.shows(/This is never ended/);
  tty.type('\u001b');
  await tty.holds(/Stopped by the user/);
  tty.type('half a thought\u0003');
  await tty.shows(/^› $|^›$/m);
  tty.type('\u0003');
  await tty.shows(/Press Ctrl\+C again to leave/);
  tty.type('\u0003');
  expect(await tty.ended).toBe(0);
});

test('scrolls and searches the transcript in the alternate screen and restores the screen afterwards', async () => {
  model.play([{ text: Array.from({ length: 80 }, (_, n) => `line ${n + 1}\n\n`) }]);
  const tty = await begin();
  tty.type('count\r');
  await tty.holds(/line 80/);
  await tty.shows(idle);
  const before = tty.scrolled();
  tty.type('\u0014');
  await tty.shows(/rows \d+ to \d+ of \d+/);
  tty.type('/line 7\r');
  await tty.shows(/^line 7$/m);
  expect(tty.screen().join('\n')).not.toMatch(/^line 80$/m);
  tty.type('q');
  await tty.shows(idle);
  expect(tty.scrolled()).toEqual(before);
});

test('lists and completes commands and switches chats', async () => {
  model.play([{ text: 'In the first.' }]);
  const tty = await begin();
  tty.type('one\r');
  await tty.holds(/In the first\./);
  await tty.shows(idle);
  tty.type('/new\r');
  await tty.holds(/In the first\.[\s\S]*New chat/);
  tty.type('/');
  const frequent = ['undo', 'model', 'compact', 'new', 'chats', 'help'];
  // In columns, ordered by use.
  await tty.shows(new RegExp(`${frequent.map((name) => ` {2}/${name}.{22,}\\n`).join('')} {2}\\d+ more`));
  const at = (name: string): number | undefined =>
    tty
      .screen()
      .find((row) => row.startsWith(`  /${name}`))
      ?.search(/ [A-Z]/);
  expect(new Set(frequent.map(at)).size).toBe(1);
  tty.type('cha');
  await tty.shows(/\/chats {2}Switches to another chat/);
  tty.type('\t');
  await tty.shows(/› \/chats$/m);
  tty.type('\r');
  await tty.shows(/Which chat\?/);
  tty.type('\u001b');
  await tty.until('the list is gone', () => !/Which chat/.test(tty.screen().join('\n')));
  tty.type('/copy\r');
  await tty.shows(/no answer to copy yet/);
});

test('completes a workspace file after @ by letters of its path, also with fast typing', async () => {
  await mkdir(join(folder, 'shop'));
  for (const path of ['shop/price.ts', 'shop/other prices.md', 'shop/secret.log', '.gitignore']) await writeFile(join(folder, path), '*.log\n');
  model.play([{ text: 'Read.' }]);
  const tty = await begin();
  tty.type('look at @prc');
  await tty.shows(/^ {2}shop\/price\.ts$/m);
  expect(tty.screen().join('\n')).not.toContain('secret.log');
  tty.type('\t');
  await tty.shows(/› look at @shop\/price\.ts *$/m);
  tty.type('and @other\t');
  await tty.shows(/@"shop\/other prices\.md" *$/m);
  tty.type('and @sho\t');
  await tty.shows(/and @shop\/$/m);
  await tty.shows(/^ {2}shop\/other prices\.md$/m);
  tty.type('\u001b[B\u001b');
  await tty.until('the list is gone', () => !/^ {2}shop/m.test(tty.screen().join('\n')));
  tty.type(' or @nobody\r');
  await tty.holds(/Read\./);
  expect(asText(model.requests.at(-1)?.body.messages)).toContain('look at @shop/price.ts and @\\"shop/other prices.md\\" and @shop/ or @nobody');
});

test.each(['SIGTERM', 'SIGHUP'])('restores the terminal after %s', async (signal) => {
  const tty = await begin();
  tty.type('half a thought');
  await tty.shows(/half a thought/);
  tty.kill(signal);
  await tty.ended;
  expect(tty.raw().slice(tty.raw().lastIndexOf('\u001b[J'))).toMatch(/\?7h.*<u.*\?1004l.*\?2004l.*\?25h/s);
  expect(tty.scrolled().slice(0, 3)).toEqual(['shell line 1', 'shell line 2', 'shell line 3']);
});

/** Module that throws an uncaught error on SIGUSR2. */
const faulty = `data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { throw new Error('a fault of the test'); })")}`;

test('restores the terminal after an uncaught error', async () => {
  const tty = await begin(['tui', '--new'], { NODE_OPTIONS: `--import=${faulty}` });
  tty.type('half a thought');
  await tty.shows(/half a thought/);
  tty.kill('SIGUSR2');
  expect(await tty.ended).not.toBe(0);
  expect(tty.raw()).toMatch(/\?7h.*<u.*\?1004l.*\?2004l.*\?25h/s);
  expect(tty.raw()).toContain('a fault of the test');
});

const talkative = `data:text/javascript,${encodeURIComponent(
  "import { writeFileSync } from 'node:fs'; process.on('SIGUSR2', () => { console.log('stray out'); console.error('stray fault'); writeFileSync(process.env.PRINTED, ''); })",
)}`;

test('holds back other output until the terminal is restored', async () => {
  const printed = join(home, 'printed');
  const tty = await begin(['tui', '--new'], { NODE_OPTIONS: `--import=${talkative}`, PRINTED: printed });
  tty.kill('SIGUSR2');
  await expect.poll(() => access(printed).then(() => true, () => false)).toBe(true); // prettier-ignore
  tty.type('half a thought');
  await tty.shows(/half a thought/);
  expect(tty.raw()).not.toContain('stray');
  tty.type('\u0003\u0004');
  expect(await tty.ended).toBe(0);
  expect(tty.scrolled().slice(-2)).toEqual(['stray out', 'stray fault']);
});

test('keeps keys typed during startup in the input field', async () => {
  terminal = startInTerminal(['tui', '--new'], { folder, environment: { HOME: home, APP_HOME: home } });
  terminal.type('typed ahead');
  await terminal.shows(/^› typed ahead$/m);
  await terminal.shows(idle);
  model.play([{ text: 'Heard.' }]);
  terminal.type(' and sent\r');
  await terminal.holds(/› typed ahead and sent\n\nHeard\./);
});

test('forks a chat and continues in the copy', async () => {
  model.play([{ text: 'The first.' }, { text: 'The second.' }]);
  const tty = await begin();
  tty.type('begin\r');
  await tty.holds(/The first\./);
  tty.type('/fork\r');
  await tty.shows(/This is a copy of the chat/);
  tty.type('go on\r');
  await tty.holds(/The second\./);
  expect(asText(model.requests.at(-1)?.body.messages)).toMatch(/begin.*The first\..*go on/);
  const { chats } = await (await fetch(`${server.url}/api/chats`, { headers: { authorization: `Bearer ${server.token}` } })).json();
  expect(chats.filter(({ title }: any) => /begin|fork|copy/i.test(title)).length).toBeGreaterThanOrEqual(1);
  expect(new Set(chats.map(({ chatId }: any) => chatId)).size).toBe(chats.length);
});

/** Returns a function that runs an action of the provenance view (why) on the first entry of a kind, like the page. */
async function actionsOnWhy(): Promise<(kind: 'user' | 'tool', action: string) => Promise<void>> {
  const { chatId, title } = (await server.call('GET', '/api/chats')).body.chats[0];
  expect(title).toBe('look around');
  const entries = (await server.call('GET', `/api/chats/${chatId}/transcript`)).body.entries as any[];
  return async (kind, action) => {
    const { id } = entries.find((entry) => entry.kind === kind);
    const parameters = { about: `${kind === 'user' ? 'message' : 'call'} ${id}`, chat: chatId };
    const { actions } = (await server.call('GET', `/api/views/why?${new URLSearchParams(parameters).toString()}`)).body;
    const found = actions.find((one: any) => one.id.startsWith(action));
    expect((await server.call('POST', `/api/views/why/actions/${found.id}`, { parameters })).status).toBe(200);
  };
}

test('marks a redacted entry in place or in a note, and notes its restoration', async () => {
  model.play([{ toolCalls: [{ name: 'list_dir', args: { path: '.' } }] }, { text: 'Nothing of note.' }]);
  const tty = await begin();
  tty.type('look around\r');
  await tty.holds(/Nothing of note\./);
  await tty.shows(idle);
  const act = await actionsOnWhy();
  await act('user', 'take-out');
  await tty.holds(/Nothing of note\.\n\n· Removed from the conversation: “look around”\n/);
  await act('tool', 'take-out');
  await tty.holds(/“look around”\n· Removed from the conversation: list_dir \.\n/);
  tty.type('\u0014');
  await tty.shows(/^› look around\n {2}\[Removed from the conversation\]$/m);
  tty.type('q');
  await tty.shows(idle);
  await act('user', 'put-back');
  await tty.holds(/· No longer ‘Removed from the conversation’: “look around”\n/);
  tty.kill('SIGKILL');
  const again = await begin(['tui', '-c']);
  await again.holds(/› look around\n\n✓ list_dir \.\n[^]*? {2}\[Removed from the conversation\]\n\nNothing of note\.\n/);
  expect(
    again
      .scrolled()
      .join('\n')
      .match(/Removed from the conversation/g),
  ).toHaveLength(1);
});

test('sends a notification to an unfocused terminal when a decision is pending', async () => {
  model.play([{ toolCalls: [{ name: 'ask_user', args: { prompt: 'Go on?' } }] }, { text: 'Going on.' }]);
  const tty = await begin();
  tty.type('\u001b[O');
  tty.type('ask me\r');
  await tty.shows(/\? Go on\?/);
  expect(tty.raw()).toContain('\u001b]9;A decision is pending.\u001b\\\u0007');
  tty.type('yes\r');
  await tty.holds(/Going on\./);
});

test('strips terminal escape sequences from model and tool output', async () => {
  const hostile = 'a\u001b]52;c;ZXZpbA==\u0007b\u001b]0;title\u0007c\u001b[2Jd\u009b3Je\u202egnp.exe\u001b[31mf';
  model.play([{ toolCalls: [{ name: 'list_dir', args: { path: hostile } }], text: hostile }, { text: `\`${hostile}\`\n\n\`\`\`\n${hostile}\n\`\`\`` }]);
  const asked = model.requests.length;
  const tty = await begin();
  tty.type('go\r');
  await tty.until('the model was asked again', () => model.requests.length >= asked + 2);
  await tty.holds(/a\]52;c;ZXZpbA==b\]0;titlec[^]*a\]52;c;ZXZpbA==b\]0;titlec/);
  await tty.shows(idle);
  expect(tty.raw()).not.toMatch(/\u001b\](?!133;A\u001b)|\u009b|\u202e|\u001b\[[23]J/);
});

test('highlights code from the first token, and shows no colours with NO_COLOR', async () => {
  model.play([{ text: ['```ts\n', 'const a = 1', ";\nreturn 'it';\n", '```\n', 'Over.'], always: true }]);
  const tty = await begin();
  tty.type('code\r');
  await tty.holds(/```ts\nconst a = 1;\nreturn 'it';\n```\n\nOver\./);
  expect(tty.raw()).toMatch(/\u001b\[35mconst/);
  expect(tty.raw()).toMatch(/\u001b\[(?:0;)?32m'it'/);
  tty.kill('SIGKILL');
  // Also in the replayed conversation of a new terminal.
  const again = await begin(['tui', '-c']);
  await again.holds(/```ts\nconst a = 1;\nreturn 'it';\n```\n\nOver\./);
  expect(again.raw()).toMatch(/\u001b\[35mconst/);
  again.kill('SIGKILL');
  const plain = await begin(['tui', '-c'], { NO_COLOR: '1' });
  await plain.holds(/```ts\nconst a = 1;\nreturn 'it';\n```\n\nOver\./);
  expect(plain.raw()).not.toMatch(/\u001b\[[\d;]*3\dm/);
  plain.kill('SIGKILL');
  const choosing = await begin(['tui', '-r']);
  await choosing.shows(/Which chat\?/);
});

test('labels speakers, tools and options in plain mode without escape sequences', async () => {
  model.play([
    { toolCalls: [{ name: 'list_dir', args: { path: '.' } }] },
    { toolCalls: [{ name: 'ask_user', args: { prompt: 'Go on?', options: ['yes', 'no'] } }] },
    { text: 'In lines.' },
  ]);
  terminal = startInTerminal(['chat', '--new', '--plain'], { folder, environment: { HOME: home, APP_HOME: home } });
  await terminal.shows(/\(Enter skips\) >/);
  terminal.type('\r');
  await terminal.holds(/Skipped\.[^\n]*\nYou: $/);
  terminal.type('hi\r');
  await terminal.holds(
    /You: hi\nTool list_dir begins: \.\nTool list_dir is done after [^\n]*\nTool ask_user begins[^\n]*\nAsks: Go on\?\nOption 1: yes\nOption 2: no\nYour answer: $/,
  );
  terminal.type('1\r');
  await terminal.holds(/Your answer: 1\n[\s\S]*Agent: In lines\.\nYou: $/);
  terminal.type('/exit\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw()).not.toContain('\u001b');
});

test('notes a redaction and its restoration in plain mode', async () => {
  model.play([{ toolCalls: [{ name: 'list_dir', args: { path: '.' } }] }, { text: 'Nothing of note.' }]);
  terminal = startInTerminal(['chat', '--new', '--plain'], { folder, environment: { HOME: home, APP_HOME: home } });
  await terminal.holds(/\nYou: $/);
  terminal.type('look around\r');
  await terminal.holds(/Agent: Nothing of note\.\nYou: $/);
  const act = await actionsOnWhy();
  await act('user', 'take-out');
  await terminal.holds(/\nNote: Removed from the conversation: “look around”\nYou: $/);
  await act('tool', 'take-out');
  await terminal.holds(/\nYou: \nNote: Removed from the conversation: list_dir \.\n/);
  await act('user', 'put-back');
  await terminal.holds(/\nNote: No longer ‘Removed from the conversation’: “look around”\n/);
  terminal.type('/exit\r');
  expect(await terminal.ended).toBe(0);
});
