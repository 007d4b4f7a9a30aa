// Tests parts of the terminal UI in a real PTY: queue, plan, clipboard, approval rules, paste, editor, suspend, vim mode.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { startInTerminal, type TestTerminal } from '../../helpers/terminal.ts';

let { home, workspace: folder, model, server } = {} as ServerWorld;
useServer((world) => void ({ home, workspace: folder, model, server } = world));
let terminal: TestTerminal | undefined;

afterEach(() => terminal?.kill('SIGKILL'));

const idle = /\/ commands {2}@ files/;
const asText = (body: unknown): string => JSON.stringify(body);
const lastAsked = (): string => asText(model.requests.at(-1)?.body.messages);

async function begin(more: Readonly<Record<string, string>> = {}): Promise<TestTerminal> {
  terminal = startInTerminal(['tui', '--new'], { folder, environment: { HOME: home, APP_HOME: home, ...more } });
  await terminal.shows(idle);
  return terminal;
}

async function memoryOf(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Presses a key until it takes effect, because a new question ignores keys at first. */
async function press(tty: TestTerminal, key: string, isTaken: RegExp): Promise<void> {
  const again = setInterval(() => tty.type(key), 450);
  await tty.holds(isTaken).finally(() => clearInterval(again));
}

test('restores a queued message to the input field, and sends a steering message before the next step', async () => {
  let goOn: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  model.play([
    { text: ['Working ', 'on it.'], stallAfter: 1, until, toolCalls: [{ name: 'list_dir', args: { path: '.' } }] },
    { text: 'Steered.' },
    { text: 'Second.' },
  ]);
  const tty = await begin();
  tty.type('begin\r');
  await tty.shows(/Working/);
  tty.type('afterwards do that\r');
  await tty.shows(/› afterwards do that {2}\(queued, ↑ withdraws it\)/);
  tty.type('\u001b[A');
  await tty.shows(/› afterwards do that$/m);
  await tty.until('nothing is queued', () => !/\(queued/.test(tty.screen().join('\n')));
  tty.type(' twice\r');
  await tty.shows(/› afterwards do that twice {2}\(queued/);
  tty.type('use the other way\u0013');
  await tty.shows(/use the other way/);
  goOn();
  await tty.holds(/Steered\.[\s\S]*Second\./);
  const asked = model.requests.map(({ body }) => asText(body.messages));
  expect(asked.find((text) => text.includes('use the other way'))).not.toContain('twice');
  expect(lastAsked()).toContain('afterwards do that twice');
});

test('shows the plan above the input field until it is done', async () => {
  const items = ['Read', 'Change', 'Test', 'Tell', 'Rest', 'Leave'].map((text, at) => ({
    text: `${text} it`,
    status: at < 2 ? 'done' : at === 2 ? 'active' : 'pending',
  }));
  const done = items.map((item) => ({ ...item, status: 'done' }));
  let goOn: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const write = (all: object[]) => ({ name: 'update_plan', args: { items: all } });
  model.play([{ toolCalls: [write(items)] }, { text: ['Testing', ' now.'], stallAfter: 1, until, toolCalls: [write(done)] }, { text: 'All done.' }]);
  const tty = await begin();
  tty.type('do it\r');
  await tty.shows(/Plan, 3 of 6: Test it\n {2}☑ Change it\n {2}▸ Test it\n {2}☐ Tell it\n {2}☐ Rest it\n/);
  goOn();
  await tty.holds(/All done\./);
  await tty.until('the plan is gone', () => idle.test(tty.screen().join('\n')) && !/Plan, /.test(tty.screen().join('\n')));
});

test('copies a chosen answer to the clipboard with OSC 52', async () => {
  model.play([{ text: 'First **answer**.' }, { text: 'Second answer.' }]);
  const tty = await begin();
  tty.type('one\r');
  await tty.holds(/First answer\./);
  await tty.shows(idle);
  tty.type('two\r');
  await tty.holds(/Second answer\./);
  await tty.shows(idle);
  tty.type('/copy\r');
  const sequence = (text: string): string => `\u001b]52;c;${Buffer.from(text).toString('base64')}\u001b\\`;
  await tty.until('it is copied', () => tty.raw().includes(sequence('Second answer.')));
  tty.type('/copy 2\r');
  await tty.until('the one before is copied', () => tty.raw().includes(sequence('First **answer**.')));
  tty.type('/copy 9\r');
  await tty.shows(/There are only 2 answers here\./);
});

test('remembers a decision for this chat or folder with the shown rule, until it is removed', async () => {
  const call = { toolCalls: [{ name: 'run_command', args: { command: 'touch remembered.txt' } }] };
  model.play([call, call, { text: 'Both done.' }]);
  const tty = await begin();
  tty.type('twice\r');
  await tty.shows(/y approve {2}(?:w approve with network {2})?a always … {2}e edit/);
  const done = (): number => tty.scrolled().join('\n').match(/✓ run_command/g)?.length ?? 0; // prettier-ignore
  await press(
    tty,
    'a',
    /Always touch remembered\.txt\n {2}1\) in this chat, [^\n]+\n {2}2\) in all chats of this folder, [^\n]+\n {2}Applies to exactly this call/,
  );
  tty.type('\u001b');
  await tty.shows(/y approve {2}(?:w approve with network {2})?a always …/);
  tty.type('a');
  await tty.shows(/1-2, ↑ ↓ Enter choose/);
  tty.type('2');
  await tty.holds(/Both done\./);
  expect(done()).toBe(2);
  model.play([call, { text: 'Once more.' }]);
  tty.type('/new\r');
  await tty.shows(/^New chat$/m);
  tty.type('again\r');
  await tty.holds(/Once more\./);
  tty.type('/rules\r');
  await tty.holds(/1\. always touch remembered\.txt in this folder/);
  tty.type('/rules remove 1\r');
  await tty.holds(/The rule was removed\. These calls need an approval again/);
});

test('folds a long paste, sends it in full and recalls it with the up key', async () => {
  model.play([{ text: 'Got it.' }]);
  const tty = await begin();
  const lines = Array.from({ length: 40 }, (_, at) => `pasted line ${at + 1}`);
  tty.type(`see \u001b[200~${lines.join('\r')}\u001b[201~`);
  await tty.shows(/› see \[pasted 1: 40 lines\]$/m);
  tty.type('\r');
  await tty.holds(/Got it\./);
  await tty.shows(idle);
  expect(lastAsked()).toContain('pasted line 1\\npasted line 2\\n');
  expect(lastAsked()).toContain('pasted line 40');
  tty.type('\u001b[A');
  await tty.shows(/pasted line 40$/m);
});

test('attaches an image whose path is pasted', async () => {
  model.play([{ text: 'A red dot.' }]);
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  await writeFile(join(folder, 'red dot.png'), Buffer.from(dot, 'base64'));
  const tty = await begin();
  tty.type(`what is \u001b[200~${join(folder, 'red\\ dot.png')}\u001b[201~`);
  await tty.shows(/› what is \[picture 1: red dot\.png\]$/m);
  tty.type('\r');
  await tty.holds(/\[red dot\.png\][^]*A red dot\./);
  expect(lastAsked()).toContain(dot);
});

test('opens the external editor and takes the saved text over', async () => {
  const editor = join(folder, 'editor.sh');
  await writeFile(editor, '#!/bin/sh\nprintf " and edited" >> "$1"\n');
  await chmod(editor, 0o755);
  const tty = await begin({ VISUAL: editor });
  tty.type('written\u0007');
  await tty.shows(/› written and edited$/m);
});

test('suspends with Ctrl+Z and resumes with fg', async () => {
  terminal = startInTerminal(['tui', '--new'], { folder, environment: { HOME: home, APP_HOME: home }, isUnderShell: true });
  const tty = terminal;
  await tty.shows(idle);
  tty.type('half a thought');
  await tty.shows(/› half a thought$/m);
  tty.type('\u001a');
  await tty.shows(/Stopped|suspended/i);
  tty.type('echo shell is $((40+2))\r');
  await tty.shows(/shell is 42/);
  tty.type('fg\r');
  await tty.until('it is back', () => /fg\n[^]*› half a thought\n*$/.test(tty.screen().join('\n')));
  tty.type('\u0003\u0003\u0003');
  await tty.until('the shell is back', () => /\$ *$/.test(tty.screen().join('\n').trimEnd()));
});

test('searches the transcript forwards and backwards', async () => {
  model.play([{ text: Array.from({ length: 120 }, (_, at) => `entry ${at + 1}${at % 50 === 10 ? ' needle' : ''}\n\n`) }]);
  const tty = await begin();
  tty.type('count\r');
  await tty.holds(/entry 120/);
  await tty.shows(idle);
  tty.type('\u0014');
  await tty.shows(/rows \d+ to \d+ of \d+/);
  tty.type('/needle\r');
  await tty.until('the first', () => tty.screen()[0] === 'entry 11 needle');
  tty.type('n');
  await tty.until('the next', () => tty.screen()[0] === 'entry 61 needle');
  tty.type('N');
  await tty.until('the first again', () => tty.screen()[0] === 'entry 11 needle');
  tty.type('q');
  await tty.shows(idle);
});

test('limits memory while the terminal is stalled and shows the missed output afterwards', async () => {
  const pieces = Array.from({ length: 2_000 }, (_, at) => `word${at} `);
  model.play([{ text: pieces, delayMs: 1 }]);
  const tty = await begin();
  tty.type('go on\r');
  await tty.shows(/word100 /);
  tty.pause();
  const before = await memoryOf(tty.pid);
  const sent = tty.chunks.length;
  await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy).toBe(false);
  expect((await memoryOf(tty.pid)) - before).toBeLessThan(40 * 1024 * 1024);
  expect(tty.chunks.length).toBe(sent);
  tty.resume();
  await tty.holds(/word1999/, 60_000);
}, 90_000);

test('goes back to an earlier message in a copy of the chat with Escape twice', async () => {
  model.play([{ text: 'To the first.' }, { text: 'To the second.' }, { text: 'To the changed one.' }]);
  const tty = await begin();
  for (const [said, answer] of [
    ['first message', /To the first\./],
    ['second message', /To the second\./],
  ] as const) {
    tty.type(`${said}\r`);
    await tty.holds(answer);
    await tty.shows(idle);
  }
  tty.type('\u001b');
  await tty.shows(/Press Esc again to list the messages/);
  tty.type('\u001b');
  await tty.shows(/Go back to before which message\?.*\n {2}second message\n {2}first message\n/);
  tty.type('\r');
  await tty.shows(/› second message$/m);
  await tty.shows(/copy of the chat before that message/);
  tty.type(', changed\r');
  await tty.holds(/To the changed one\./);
  expect(lastAsked()).toContain('first message');
  expect(lastAsked()).toContain('second message, changed');
  expect(lastAsked()).not.toContain('To the second.');
});
