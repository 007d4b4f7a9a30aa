// Tests a third-party plugin with public interfaces only: in the built program, over HTTP, in the terminal and across a kill.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';
import { createCommandLine, type CommandLine } from '../../helpers/command-line.ts';
import { createProgram, type Program } from '../../helpers/cli-program.ts';

const environment = {
  ...{ AGENT_PLUGIN_DIR: join(root, 'examples/deadlines'), EXAMPLE_DEADLINES_PATTERN: '* * * * * *' },
  ...{ EXAMPLE_DEADLINES_IDLE_MS: '0', EXAMPLE_DEADLINES_KEEP: '0' },
};
let program: Program;
let commands: CommandLine;
let server: ServerProcess;
const start = async (): Promise<void> => {
  server = await startServerProcess({ home: program.home, workspace: program.workspace, environment });
};
beforeAll(async () => {
  program = await createProgram();
  commands = await createCommandLine({ builtins: ['cli'], folders: program });
  await start();
});
afterAll(async () => {
  await server.stop();
  await program.clean();
});

const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();
const ask = (what: string, due: string): string => `call set_deadline with ${JSON.stringify({ what, due })}`;
const chatId = async (): Promise<string> => (await server.call('GET', '/api/chats')).body.activeChatId;
const entries = async (): Promise<any[]> => (await server.call('GET', `/api/chats/${await chatId()}/transcript`)).body.entries;
const announced = async (what: string): Promise<any[]> => (await entries()).filter(({ kind, text }) => kind === 'announcement' && text.startsWith(what));

test('shows the tool with icon and subject, and the event as a line, in the transcript and the terminal', async () => {
  const { stdout, stderr, code } = await commands.run(['run', ask('Hand in the report', soon(3_600_000))], { environment });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/→ set_deadline Hand in the report\n[^]*Deadline: Hand in the report, \d{4}-\d\d-\d\d \d\d:\d\d UTC/),
  ]);
  expect(stdout).toContain('Noted.');
  const [call] = (await entries()).filter(({ kind }) => kind === 'tool');
  expect(call).toMatchObject({ name: 'set_deadline', icon: 'calendar', subject: 'Hand in the report', ok: true });
  expect(call.approval).toBeUndefined();
  expect(await entries()).toContainEqual(expect.objectContaining({ kind: 'system', code: 'deadline_changed' }));
});

test('adds a config field and a settings tab, and applies a changed setting immediately', async () => {
  expect((await server.call('GET', '/api/config')).body.openDeadlines).toBe(1);
  const { tabs, fields } = (await server.call('GET', '/api/settings')).body;
  expect(tabs).toContainEqual({ id: 'deadlines', title: 'Deadlines' });
  expect(fields.find(({ key }: any) => key === 'EXAMPLE_DEADLINES_AHEAD')).toMatchObject({ tab: 'deadlines', value: 0 });
  expect(await announced('Hand in')).toEqual([]);
  expect((await server.call('PUT', '/api/settings', { harness: { env: { EXAMPLE_DEADLINES_AHEAD: '90' } } })).status).toBe(200);
  await vi.waitFor(async () => expect(await announced('Hand in')).toHaveLength(1), 20_000);
});

// late: croner
test('announces a due deadline once across a kill, with its origin', async () => {
  await commands.run(['run', '--continue', ask('Call back', soon(0))], { environment });
  await vi.waitFor(async () => expect(await announced('Call back')).toHaveLength(1), 20_000);
  await server.stop('SIGKILL');
  // Simulates a crash before the announcement was recorded.
  const path = join(server.home, 'plugin-data/deadlines/deadlines.json');
  const stored = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(stored.map(({ isTold: _, ...one }: any) => one)));
  await start();
  await vi.waitFor(async () => expect(JSON.parse(await readFile(path, 'utf8')).every(({ isTold }: any) => isTold)).toBe(true), 20_000);
  expect(await announced('Call back')).toMatchObject([{ origin: { plugin: 'deadlines', reason: 'A deadline that you set is due.' } }]);
  expect(JSON.parse(await readFile(join(server.home, 'schedule.json'), 'utf8'))).toMatchObject({
    'tell-deadlines': { dueAt: expect.any(Number), when: '{"cron":"* * * * * *"}' },
    'empty-trash': { dueAt: expect.any(Number) },
  });
  const { stdout } = await commands.run(['chats', 'show', await chatId()], { environment });
  expect(stdout).toMatch(/\[deadlines: A deadline that you set is due\.\] Call back \(/);
});

test('prints an announcement in the terminal chat when it arrives', async () => {
  const chat = program.start(['chat'], { environment });
  chat.type(ask('Water the plants', soon(0)));
  const [line] = await chat.until(/^Message from deadlines: A deadline that you set is due: Water the plants \(.*$/m);
  expect(line).toMatch(/UTC\)$/);
  chat.type('/exit');
  expect((await chat.ended).code).toBe(0);
});

test('reports a completed deadline in the chat, returns not_found for an unknown one and adds a panel', async () => {
  const { deadlines } = (await server.call('GET', '/api/deadlines')).body;
  const idOf = (wanted: string): string => deadlines.find(({ what }: any) => what === wanted).id;
  expect((await server.call('POST', `/api/deadlines/${idOf('Water the plants')}/done`, {})).status).toBe(200);
  const id = idOf('Call back');
  expect((await server.call('POST', `/api/deadlines/${id}/done`, {})).body).toMatchObject({ id, doneAt: expect.any(String) });
  expect((await server.call('POST', `/api/deadlines/${id}/done`, {})).body.error).toMatchObject({ code: 'not_found' });
  expect(await entries()).toContainEqual(expect.objectContaining({ kind: 'system', text: 'Done: Call back' }));
  expect((await server.call('GET', '/api/config')).body.openDeadlines).toBe(1);
  const { panels } = (await server.call('GET', '/api/ui/panels')).body;
  expect(panels).toContainEqual(expect.objectContaining({ id: 'deadlines', plugin: 'deadlines', slot: 'panel', icon: 'calendar' }));
});

test('returns the plugin’s error for an invalid time to the model and cleans the list after the turn', async () => {
  const { stderr } = await commands.run(['run', '--continue', ask('Never', 'tomorrow')], { environment });
  expect(stderr).toContain("✗ set_deadline: 'tomorrow' is no time.");
  const listed = async (): Promise<string[]> => (await server.call('GET', '/api/deadlines')).body.deadlines.map(({ what }: any) => what);
  await vi.waitFor(async () => expect(await listed()).toEqual(['Hand in the report']), 20_000);
});
