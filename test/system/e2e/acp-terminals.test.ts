// Tests commands in terminals of the editor: opt-in, approval, verbatim execution, result.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { startEditor, useEditors, type Editor, type Message } from '../../helpers/acp-editor.ts';
import { type ScriptedReply, type ScriptedRequest } from '../../helpers/scripted-model.ts';

let { home, workspace, model, server } = {} as ServerWorld;
useServer((world) => void ({ home, workspace, model, server } = world), { environment: () => ({ AGENT_EDITOR_TERMINAL: 'true' }) });
const editors = useEditors();
const patient = { timeout: 20_000 };
const secret = 'not-for-commands-4711';

interface Terminal {
  readonly child: ChildProcess;
  output: string;
  readonly exited: Promise<{ exitCode: number | null; signal: string | null }>;
  status?: { exitCode: number | null; signal: string | null };
  isReleased: boolean;
}

interface TerminalEditor extends Editor {
  readonly terminals: ReadonlyMap<string, Terminal>;
}

/**
 * Opens an editor that runs the commands it receives. `joins`: passes program and arguments to a shell, joined with blanks.
 * @param instead handles a request itself unless it returns undefined
 */
async function open(instead: (message: Message) => unknown = () => undefined, { joins = false } = {}): Promise<TerminalEditor> {
  const terminals = new Map<string, Terminal>();

  function create({ command, args, env, cwd }: any): object {
    const variables = Object.fromEntries(env.map(({ name, value }: any) => [name, value]));
    const options = { cwd, env: { ...process.env, EDITORS_API_KEY: secret, ...variables }, detached: true } as const;
    const child = joins ? spawn('/bin/sh', ['-c', [command, ...args].join(' ')], options) : spawn(command, args, options);
    const exited = new Promise<NonNullable<Terminal['status']>>((resolve) =>
      child.once('close', (exitCode, signal) => resolve((terminal.status = { exitCode, signal }))),
    );
    const terminal: Terminal = { child, output: '', exited, isReleased: false };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (terminal.output += text));
    child.stdin.end();
    const terminalId = `terminal-${terminals.size + 1}`;
    terminals.set(terminalId, terminal);
    return { terminalId };
  }

  const end = ({ child, status }: Terminal): unknown => (status ? undefined : process.kill(-(child.pid as number), 'SIGKILL'));

  async function answer(message: Message): Promise<unknown> {
    const own = instead(message);
    if (own !== undefined) return own;
    const { method, params } = message;
    if (method === 'terminal/create') return create(params);
    const terminal = terminals.get(params.terminalId);
    if (!terminal) return { outcome: { outcome: 'selected', optionId: 'allow' } };
    if (method === 'terminal/wait_for_exit') return terminal.exited;
    if (method === 'terminal/output') return { output: terminal.output, truncated: false, exitStatus: terminal.status ?? null };
    end(terminal);
    if (method === 'terminal/release') terminal.isReleased = true;
    return {};
  }

  // The agent has the environment of the editor.
  const environment = { EDITORS_API_KEY: secret };
  const editor = startEditor({ home, workspace, capabilities: { terminal: true }, environment, answer });
  editors.push(editor);
  await editor.initialize();
  return { ...editor, terminals };
}

/** Background requests to the model have no tools. */
const isTurn = ({ body }: ScriptedRequest): boolean => (body.tools?.length ?? 0) > 0;
const run = (command: string, more: object = {}): ScriptedReply => ({ toolCalls: [{ name: 'run_command', args: { command, ...more } }] });
const script = (...replies: readonly ScriptedReply[]): void =>
  model.play([...replies.map((reply) => ({ ...reply, when: isTurn })), { text: 'Done.', always: true }]);
/** Result of the newest tool call. */
const result = (): string =>
  String(
    model.requests
      .filter(isTurn)
      .at(-1)
      ?.body.messages.findLast(({ role }: any) => role === 'tool')?.content,
  );
const asked = (editor: Editor, method: string): any[] => editor.received.filter((message) => message.method === method).map(({ params }) => params);
const methods = (editor: Editor): string[] => editor.received.flatMap(({ method }) => (method?.startsWith('terminal/') ? [method.slice(9)] : []));
const api = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' } });

for (const joins of [false, true]) {
  test(`runs an approved command verbatim in the editor terminal and shows it there${joins ? ', also where a shell gets all of it' : ''}`, async () => {
    const editor = await open(undefined, { joins });
    const sessionId = await editor.newSession();
    const command = `printf '%s\\n' "it's  $((40 + 2))" && pwd; echo "key: $EDITORS_API_KEY"`;
    script(run(command));
    await editor.prompt(sessionId, 'Run.');
    const [permission] = asked(editor, 'session/request_permission');
    expect(permission.toolCall.content[0].content.text).toContain('in a terminal of the editor, outside the sandbox');
    expect(JSON.stringify(permission.toolCall.rawInput)).toContain(JSON.stringify(command));
    expect(permission.options.map(({ optionId }: any) => optionId)).toEqual(['allow', 'reject']);
    expect(result()).toContain(`\nit's  42\n${workspace}\nkey:\n`);
    expect(methods(editor)).toEqual(['create', 'wait_for_exit', 'output', 'release']);
    expect(asked(editor, 'terminal/create')[0]).toMatchObject({ sessionId, cwd: workspace });
    expect(asked(editor, 'terminal/create')[0].outputByteLimit).toBeGreaterThan(0);
    // The card shows the terminal before its release.
    const shown = editor.received.findIndex(({ params }) => params?.update?.content?.[0]?.type === 'terminal');
    expect(editor.received[shown]?.params.update.content).toEqual([{ type: 'terminal', terminalId: 'terminal-1' }]);
    expect(shown).toBeLessThan(editor.received.findIndex(({ method }) => method === 'terminal/release'));
    expect(shown).toBeGreaterThan(0);
    expect(editor.terminals.get('terminal-1')?.isReleased).toBe(true);
    await expect(access(asked(editor, 'terminal/create')[0].args.at(-1))).rejects.toThrow();
  });
}

test('returns the exit code and output of a failed command, and the end of a long output', async () => {
  const editor = await open();
  const sessionId = await editor.newSession();
  script(run('echo why; exit 3'));
  await editor.prompt(sessionId, 'Run.');
  expect(result()).toContain('The command exited with code 3.\nwhy');
  const card = editor.updates(sessionId).findLast(({ sessionUpdate }) => sessionUpdate === 'tool_call_update');
  expect(JSON.stringify(card.content ?? '')).toContain('exited with code 3');
  // This terminal stores more than the requested limit.
  script(run(`head -c 700000 /dev/zero | tr '\\0' x; echo; echo last`));
  await editor.prompt(sessionId, 'Run.');
  expect(result()).toContain('beginning discarded');
});

test('runs read-only and background commands locally, and all commands if a sandbox is required', async () => {
  const editor = await open();
  const sessionId = await editor.newSession();
  script(run('ls'), run('sleep 0.01', { background: true }));
  await editor.prompt(sessionId, 'Run.');
  expect(result()).toContain('Started as cmd_');
  const set = async (env: object): Promise<void> => {
    const reply = await api('/api/settings', { method: 'PUT', body: JSON.stringify({ harness: { env } }) });
    expect(reply.status, await reply.text()).toBe(200);
  };
  await set({ AGENT_SANDBOX: 'require' });
  script(run('echo here'));
  await editor.prompt(sessionId, 'Run.');
  await set({ AGENT_SANDBOX: null });
  expect(methods(editor)).toEqual([]);
});

test('ends the command and releases the terminal before a cancelled prompt is answered', async () => {
  const nap = `317.${process.pid}`;
  const editor = await open();
  const sessionId = await editor.newSession();
  script(run(`echo begun; sleep ${nap} & sleep ${nap}`));
  const reply = editor.prompt(sessionId, 'Run.');
  await editor.until(({ method }) => method === 'terminal/wait_for_exit');
  const at = editor.received.length;
  editor.notify('session/cancel', { sessionId });
  const answered = await reply;
  expect(answered.result).toEqual({ stopReason: 'cancelled' });
  expect(methods(editor)).toEqual(['create', 'wait_for_exit', 'kill', 'output', 'release']);
  expect(editor.received.findIndex(({ method }) => method === 'terminal/release')).toBeLessThan(editor.received.indexOf(answered));
  expect(editor.received.slice(at)).toContainEqual(expect.objectContaining({ method: '$/cancel_request' }));
  await expect(promisify(execFile)('pgrep', ['-x', '-f', `sleep ${nap.replace('.', '\\.')}`])).rejects.toMatchObject({ code: 1 });
});

test('ends a command at its timeout and returns its output', async () => {
  const editor = await open();
  const sessionId = await editor.newSession();
  script(run('echo begun; sleep 300', { timeoutMs: 1_500 }));
  await editor.prompt(sessionId, 'Run.');
  expect(result()).toContain('timed out after 1.5 s and was ended.\nbegun');
  expect(editor.terminals.get('terminal-1')?.isReleased).toBe(true);
});

const nonsense: readonly (readonly [string, (message: Message) => unknown, string])[] = [
  ['refuses', ({ method }) => (method === 'terminal/create' ? Promise.reject(new Error('no terminals today')) : undefined), 'no terminals today'],
  ['rejects the terminal', ({ method }) => (method === 'terminal/create' ? { terminalId: 7 } : undefined), 'its reply has no terminal'],
  ['returns no output', ({ method }) => (method === 'terminal/output' ? { output: ['x'] } : undefined), 'its reply has no output'],
  [
    'returns no exit status',
    ({ method }) => (method === 'terminal/wait_for_exit' ? { exitCode: 'fine' } : method === 'terminal/output' ? { output: '', truncated: false } : undefined),
    'it did not report how the command ended',
  ],
];
for (const [what, instead, words] of nonsense) {
  test(`fails the command and releases its terminal if the editor ${what}`, async () => {
    const editor = await open(instead);
    const sessionId = await editor.newSession();
    script(run('echo hello > never-mind.txt'));
    const { result: ended } = await editor.prompt(sessionId, 'Run.');
    expect(ended).toEqual({ stopReason: 'end_turn' });
    expect(result()).toContain('The command was sent to a terminal of the editor, but');
    expect(result()).toContain(words);
    for (const terminal of editor.terminals.values()) expect(terminal.isReleased).toBe(true);
  });
}

test('fails a command immediately when the editor is killed, and does not run a decided one without it', async () => {
  const editor = await open(({ method }) => (method === 'terminal/wait_for_exit' ? new Promise(() => undefined) : undefined));
  const sessionId = await editor.newSession();
  script(run('sleep 0.01; echo one'), run('echo two > two.txt; cat two.txt'));
  void editor.prompt(sessionId, 'Run.').catch(() => undefined);
  await editor.until(({ method }) => method === 'terminal/wait_for_exit');
  await editor.kill();
  await expect.poll(result, patient).toContain('it disconnected, and it is unknown whether the command ended');
  const pending = async (): Promise<any[]> => (await (await api(`/api/pending?chatId=${sessionId}`)).json()).approvals;
  await expect.poll(async () => (await pending()).length, patient).toBe(1);
  const [approval] = await pending();
  expect(approval.reason).not.toContain('terminal');
  await api('/api/approve', { method: 'POST', body: JSON.stringify({ approvalId: approval.approvalId, decision: 'approve' }) });
  await expect.poll(result, patient).toContain('\ntwo\n');

  const waiting = await open(({ method }) => (method === 'session/request_permission' ? new Promise(() => undefined) : undefined));
  const second = await waiting.newSession();
  script(run('echo three > three.txt'));
  void waiting.prompt(second, 'Run.').catch(() => undefined);
  await waiting.until(({ method }) => method === 'session/request_permission');
  await waiting.kill();
  const { approvals } = await (await api(`/api/pending?chatId=${second}`)).json();
  await api('/api/approve', { method: 'POST', body: JSON.stringify({ approvalId: approvals[0].approvalId, decision: 'approve' }) });
  await expect.poll(result, patient).toContain('disconnected after the decision, so nothing ran');
});
