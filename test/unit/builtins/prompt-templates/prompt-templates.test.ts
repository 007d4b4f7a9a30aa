// Tests prompt templates from disk, over HTTP, in messages and with workspace trust.
import '../../../helpers/plain-resolution.ts';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useAgentBench, type AgentBench } from '../../plugins/agent/agent-bench.ts';

const start = useAgentBench();
let bench: AgentBench;
beforeEach(async () => {
  bench = await start(undefined, { builtins: ['model-chat-completions', 'shell', 'skills', 'mcp', 'bundles', 'prompt-templates'] });
});

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};
const own = (name: string): string => join(bench.home, 'prompts', name);
const here = (name: string): string => join(bench.workspace, '.agents/prompts', name);

async function turn(text: string): Promise<{ readonly asked: string; readonly answer: string }> {
  const before = bench.model.requests.length;
  bench.model.push({ text: 'Done.' });
  const { body } = await bench.send(text);
  await bench.ended(body.turnId);
  const turnEvents = bench.stream.events.filter((event) => event['turnId'] === body.turnId && event.kind === 'text');
  const request = bench.model.requests[before];
  const last: any = request?.body.messages.findLast((message: any) => String(message.content).includes("The user's command /"));
  return { asked: last?.content ?? '', answer: turnEvents.map((event) => event['delta']).join('') };
}

const commands = async (chatId?: string): Promise<any[]> =>
  (await bench.call('GET', `/api/commands${chatId === undefined ? '' : `?chatId=${chatId}`}`)).body.commands;
const command = async (name: string): Promise<any> => (await commands()).find((one) => one.name === name);
const prompts = async (): Promise<any> => (await bench.call('GET', '/api/prompts')).body;

test('turns a file in the home folder into a command with placeholders and sends its text to the model', async () => {
  await put(own('review.md'), '---\ndescription: Reviews a file\nargument-hint: "[file] [what to look for]"\n---\nReview $1. Look for $2.\n');
  await put(own('Plain one.md'), 'Say hello to $ARGUMENTS.\n');
  await put(own('tidy.md'), 'Tidy up.\n');
  expect(await command('review')).toEqual({
    name: 'review',
    summary: 'Reviews a file',
    usage: '[file] [what to look for]',
    places: [
      { label: 'file', isWhole: false },
      { label: 'what to look for', isWhole: false },
    ],
  });
  expect(await command('plain-one')).toMatchObject({ summary: 'Say hello to $ARGUMENTS.', places: [{ label: '', isWhole: true }] });
  expect(await command('tidy')).not.toHaveProperty('places');
  expect((await turn('/review a.ts "slips of the \\"pen\\""')).asked).toContain('Review a.ts. Look for slips of the "pen".');
  expect((await turn('/plain-one "Ann" and Bob')).asked).toContain('Say hello to "Ann" and Bob.');
  expect((await turn('/tidy the desk')).asked).toContain('Tidy up.\n\nArguments: the desk');
  await put(own('tidy.md'), 'Leave it.\n');
  expect((await turn('/tidy')).asked).toContain('Leave it.');
});

test('creates, changes, renames and deletes templates and keeps unknown front matter', async () => {
  const write = (name: string, body: object): Promise<{ status: number; body: any }> => bench.call('PUT', `/api/prompts/${name}`, body);
  expect((await write('sum-up', { text: 'Sum up $1.', description: 'Sums up', argumentHint: '[file]', isNew: true })).status).toBe(200);
  expect(await readFile(own('sum-up.md'), 'utf8')).toBe('---\ndescription: Sums up\nargument-hint: "[file]"\n---\n\nSum up $1.\n');
  expect(await command('sum-up')).toMatchObject({ places: [{ label: 'file', isWhole: false }] });
  expect((await write('sum-up', { text: 'Again.', isNew: true })).body.error).toMatchObject({ code: 'exists' });
  expect((await write('nobody', { text: 'x' })).status).toBe(404);
  expect((await write('Bad%20Name', { text: 'x', isNew: true })).status).toBe(400);

  await put(own('sum-up.md'), '---\ndescription: Sums up\nmodel: quick\n---\nSum up $1.\n');
  expect((await write('digest', { text: 'Digest $1.', description: '', from: 'sum-up' })).status).toBe(200);
  expect(existsSync(own('sum-up.md'))).toBe(false);
  expect(await readFile(own('digest.md'), 'utf8')).toBe('---\nmodel: quick\n---\n\nDigest $1.\n');
  expect((await prompts()).templates).toEqual([
    { name: 'digest', origin: 'own', path: 'prompts/digest.md', description: 'Digest $1.', text: 'Digest $1.', command: 'digest' },
  ]);
  expect((await bench.call('DELETE', '/api/prompts/digest')).status).toBe(200);
  expect((await bench.call('DELETE', '/api/prompts/digest')).status).toBe(404);
  expect((await turn('/digest a')).answer).toContain("There is no command '/digest'");
});

test('uses the next visible text as the summary of a command file whose description or first line has only invisible characters', async () => {
  const invisible = '\u202e\ufeff ';
  await put(own('described.md'), `---\ndescription: "${invisible}"\nargument-hint: "${invisible}"\n---\nSay hello.\n`);
  await put(own('begun.md'), `${invisible}\u200e\nSay hello.\n`);
  await put(own('blank.md'), `---\ndescription: Says nothing\n---\n${invisible}\u200e\n`);
  expect(await command('described')).toEqual({ name: 'described', summary: 'Say hello.' });
  expect(await command('begun')).toMatchObject({ summary: 'Say hello.' });
  expect((await prompts()).leftOut).toEqual(['prompts/blank.md is empty.']);
});

test('prefixes a template whose name is taken and lists rejected files with a reason', async () => {
  await put(own('help.md'), 'Help me.');
  await put(own('empty.md'), '  ');
  await put(own('3 wishes.md'), 'x');
  await symlink('/etc/passwd', own('link.md'));
  expect((await prompts()).templates).toMatchObject([{ name: 'help', command: 'prompt-help' }]);
  expect((await prompts()).leftOut).toEqual([
    'prompts/link.md is a link or cannot be read.',
    "prompts/3 wishes.md cannot be a command: its name may contain only letters, digits and hyphens.",
    'prompts/empty.md is empty.',
  ]); // prettier-ignore
  expect((await turn('/prompt-help')).asked).toContain('Help me.');
});

test('enables workspace templates after trust, in chats of that workspace, until a file changes', async () => {
  await put(here('ship.md'), '---\ndescription: Ships it\n---\nShip \u202e$1.\n');
  expect(await command('ship')).toBeUndefined();
  expect((await turn('/ship now')).answer).toContain("There is no command '/ship'");
  const trust = bench.kernel.resolve('trust');
  const finding = async (): Promise<any> => (await trust.rows(bench.workspace)).find(({ name }) => name === 'prompts');
  expect(await finding()).toMatchObject({ title: '1 prompt template', isTrusted: false, detail: expect.stringContaining('/ship sends to the model') });
  expect((await finding()).detail).not.toContain('\u202e');
  await trust.decide(bench.workspace, 'prompts', (await finding()).digest, true);
  expect(await command('ship')).toMatchObject({ summary: 'Ships it' });
  expect((await turn('/ship now')).asked).toContain('now.');
  expect((await prompts()).templates).toMatchObject([{ origin: 'workspace', name: 'ship', path: '.agents/prompts/ship.md' }]);

  const other = (await bench.call('POST', '/api/chats', { workspaceMode: 'scratch', activate: false })).body.chatId;
  expect((await commands(other)).map(({ name }) => name)).not.toContain('ship');
  const elsewhere = await bench.call('POST', '/api/commands', { name: 'ship', chatId: other });
  expect(elsewhere.body.error.message).toContain("There is no command '/ship'");

  await put(here('ship.md'), 'Burn it.\n');
  expect((await turn('/ship now')).answer).toContain("There is no command '/ship'");
});

test('allows the same command name in two workspaces and protects built-in commands', async () => {
  const trust = bench.kernel.resolve('trust');
  const agree = async (root: string): Promise<void> => {
    for (const row of await trust.rows(root)) await trust.decide(root, row.name, row.digest, true);
  };
  await put(here('go.md'), 'Go here.');
  await put(here('trust.md'), 'Trust all.');
  const there = join(bench.workspace, 'there');
  await put(join(there, '.claude/commands/go.md'), 'Go there.');
  const other = (await bench.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: there, activate: false })).body;
  await agree(bench.workspace);
  await agree(other.workspaceRoot);
  expect((await turn('/go')).asked).toContain('Go here.');
  bench.model.push({ text: 'Done.' });
  const { body } = await bench.send('/go', { chatId: other.chatId });
  await bench.ended(body.turnId);
  expect(JSON.stringify(bench.model.requests.at(-1)?.body)).toContain('Go there.');
  expect((await turn('/trust')).asked).toBe('');
  expect((await commands()).map(({ name }) => name)).toEqual(expect.arrayContaining(['go', 'prompt-trust', 'trust']));
});
