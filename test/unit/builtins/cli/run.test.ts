import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { useEach } from '../../../helpers/use-opened.ts';
import { startCli } from './cli-kernel.ts';
import { answerMessages, answerWith, chatId, end, endTurnOnAbort, say } from './fake-server.ts';

const cli = useEach(() => startCli());

const where = (): string => `New chat in ${cli.home} (${chatId})\n`;

describe('run', () => {
  test('prints text on standard output and tool activity on standard error', async () => {
    answerWith(
      cli.server,
      say('Looking', 0),
      { kind: 'tool_start', callId: 'call_1', messageId: 'msg_1', name: 'read_file' },
      { kind: 'tool_start', callId: 'call_1', messageId: 'msg_1', name: 'read_file', args: { path: 'notes.md' } },
      { kind: 'tool_result', callId: 'call_1', name: 'read_file', ok: true, output: '…', durationMs: 12 },
      say('It says hello.', 0, 'msg_second'),
      end(),
    );
    expect(await cli.run(['run', 'what', 'is', 'in notes.md?'])).toEqual({
      code: 0,
      stdout: 'Looking\nIt says hello.\n',
      stderr: `${where()}→ read_file notes.md\n✓ read_file 12 ms\n`,
    });
    expect(cli.server.calls).toContain(`POST /api/message {"chatId":"${chatId}","text":"what is in notes.md?"}`);
    expect(cli.done).toEqual(['listen {"port":0,"host":"127.0.0.1"}', 'close']);
  });

  test('prints the output of a turn that only calls a tool, and exits 1 when the call fails', async () => {
    answerWith(
      cli.server,
      { kind: 'tool_start', callId: 'call_1', messageId: 'msg_1', name: 'read_file', args: { path: 'a' } },
      { kind: 'tool_result', callId: 'call_1', name: 'read_file', ok: true, output: 'one\u001b[2J\ntwo', durationMs: 12 },
      end(),
    );
    expect(await cli.run(['run', '/call read_file {"path":"a"}'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^one[^\u001b]*\ntwo\n$/) });
    answerWith(cli.server, { kind: 'tool_result', callId: 'call_1', name: 'read_file', ok: false, output: 'There is no file a.', durationMs: 1 }, end());
    expect(await cli.run(['run', '/call read_file {"path":"a"}'])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no file a') });
  });

  test('uses the running server and leaves it running', async () => {
    await cli.runServer();
    answerWith(cli.server, end());
    expect((await cli.run(['run', 'hello'])).code).toBe(0);
    expect(cli.done).toEqual([]);
  });

  test('keeps its own server running while other clients use it', async () => {
    let asked = 0;
    answerWith(cli.server, end());
    cli.server.on('GET /api/status', () => ({ body: { busy: asked++ < 2, clients: 0, chats: [] } }));
    expect((await cli.run(['run', 'hello'])).code).toBe(0);
    expect(asked).toBe(3);
  });

  test('--json prints only the events of the turn', async () => {
    answerMessages(cli.server, ({ emit }) => {
      cli.server.emit({ kind: 'chat_updated', change: 'renamed' });
      emit(say('Hi'));
      emit(end());
    });
    const { stdout, code } = await cli.run(['run', 'hello', '--json']);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ kind }) => kind)).toEqual(['message_accepted', 'turn_start', 'text', 'turn_end']);
    expect(code).toBe(0);
  });

  test("reads the text from standard input for '-'", async () => {
    answerMessages(cli.server, ({ text, emit }) => [say(`You said: ${text}`), end()].forEach(emit));
    expect((await cli.run(['run', '-'], { input: ['one', 'two'] })).stdout).toBe('You said: one\ntwo\n');
  });

  test('adds what a pipe or a socket holds to the text, or takes it as the text', async () => {
    answerMessages(cli.server, ({ text, emit }) => [say(`You said: ${text}`), end()].forEach(emit));
    for (const redirectedInput of ['pipe', 'socket'] as const) {
      expect((await cli.run(['run', 'sum up'], { input: ['one'], redirectedInput })).stdout).toContain('You said: sum up\n\n<standard_input>\none\n');
      expect((await cli.run(['run'], { input: ['one'], redirectedInput })).stdout).toBe('You said: one\n');
    }
  });

  test('continues without a socket that stays silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    answerMessages(cli.server, ({ text, emit }) => [say(`You said: ${text}`), end()].forEach(emit));
    const input = silentInput();
    const running = cli.run(['run', 'hello'], { input: input.lines, redirectedInput: 'socket' });
    await input.isRead;
    await vi.advanceTimersByTimeAsync(3_000);
    vi.useRealTimers();
    const { stdout, stderr } = await running;
    expect({ stdout, stderr }).toEqual({ stdout: 'You said: hello\n', stderr: expect.stringContaining('No input arrived on standard input for 3 seconds') });
  });

  test('rejects a call without a text as a usage error', async () => {
    expect(await cli.run(['run'])).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a text') });
  });

  test.each([
    ['error', { error: { code: 'x', message: 'The key is wrong.' } }, 'The key is wrong.\n'],
    ['aborted', {}, 'Stopped by the user.\n'],
    ['budget', {}, 'Stopped: the budget is used up.\n'],
  ])('exits 1 when the turn ends with %s', async (reason, more, stderr) => {
    answerWith(cli.server, end(reason, more));
    expect(await cli.run(['run', 'hello'])).toMatchObject({ code: 1, stderr: where() + stderr });
  });

  test('prints the error of the server with its code', async () => {
    cli.server.on('POST /api/message', () => ({ status: 409, body: { error: { code: 'turn_in_progress', message: 'A turn is running in this chat.' } } }));
    expect(await cli.run(['run', 'hello'])).toMatchObject({ code: 1, stderr: `${where()}app: A turn is running in this chat. (turn_in_progress)\n` });
    expect(await cli.run(['run', 'hello', '--chat', 'chat_none'])).toMatchObject({ code: 1, stderr: expect.stringContaining('(not_found)') });
  });

  test('stops the turn and exits 130 when aborted', async () => {
    const stop = new AbortController();
    answerWith(cli.server, say('Working…'));
    endTurnOnAbort(cli.server);
    const { code, stderr } = await cli.run(['run', 'hello'], { signal: stop.signal, watch: (written) => written.includes('Working') && stop.abort() });
    expect(code).toBe(130);
    expect(stderr).toBe(`${where()}Stopped by the user.\n`);
  });

  test('prints repeated deltas once, and the full text after a retry', async () => {
    answerWith(
      cli.server,
      say('Hello '),
      say('lo world', 3),
      { kind: 'provider_retry', attempt: 1, of: 8, reason: 'overloaded.', delayMs: 1 },
      say('Hello again'),
      end(),
    );
    const { stdout, stderr } = await cli.run(['run', 'hello']);
    expect(stdout).toBe('Hello world\nHello again\n');
    expect(stderr).toContain('… overloaded. Attempt 2 of 9 begins\n');
  });

  test('prints the text that the server returns for plugin events', async () => {
    answerWith(
      cli.server,
      { kind: 'context_compressed', shown: { text: 'The conversation was shortened.' } },
      { kind: 'unknown_event', text: 'no' },
      say('Hi'),
      end(),
    );
    expect(await cli.run(['run', 'hello'])).toMatchObject({ code: 0, stdout: 'Hi\n', stderr: `${where()}The conversation was shortened.\n` });
  });

  test('names the participant who approved or answered, unless it is the owner', async () => {
    const ada = { kind: 'teammate', id: 'mate_1', name: 'Ada\u001b[2J', role: 'member' };
    answerMessages(cli.server, ({ emit }) => {
      const call = { callId: 'call_1', messageId: 'msg_1', name: 'send' };
      emit({ kind: 'tool_start', ...call, args: { to: 'Bob' } });
      emit({ kind: 'approval_decision', ...call, approvalId: 'appr_1', decision: 'approve', by: 'user', principal: ada });
      emit({ kind: 'tool_result', ...call, ok: true, output: '', durationMs: 1 });
      const own = { callId: 'call_2', messageId: 'msg_1', name: 'send' };
      emit({ kind: 'tool_start', ...own, args: {} });
      emit({
        kind: 'approval_decision',
        ...own,
        approvalId: 'appr_2',
        decision: 'reject',
        by: 'user',
        principal: { kind: 'owner', id: 'owner', role: 'owner' },
      });
      emit({ kind: 'ask_user_answered', ...own, callId: 'call_3', name: 'ask_user', askId: 'ask_1', answer: 'red', principal: ada });
      emit(say('Sent.'));
      emit(end());
    });
    expect((await cli.run(['run', 'hello'])).stderr).toBe(where() + '→ send Bob\n  Approved by Ada [2J.\n✓ send 1 ms\n→ send\n  Answer of Ada [2J: red\n');
  });

  test('quiet verbosity omits traces, arguments and progress', async () => {
    cli.server.on('GET /api/config', () => ({ body: { uiVerbosity: 'quiet' } }));
    answerWith(
      cli.server,
      { kind: 'text', messageId: 'msg_t', offset: 0, delta: 'Round 1.', channel: 'trace' },
      { kind: 'tool_start', callId: 'call_1', messageId: 'msg_1', name: 'read_file', args: { path: 'a' }, subject: 'a' },
      { kind: 'tool_progress', callId: 'call_1', note: 'half' },
      { kind: 'tool_result', callId: 'call_1', name: 'read_file', ok: true, output: '…', durationMs: 12 },
      say('Done.'),
      end(),
    );
    expect((await cli.run(['run', 'hello'])).stderr).toBe(where() + '→ read_file\n✓ read_file 12 ms\n');
  });

  test('removes escape sequences from the output', async () => {
    answerWith(
      cli.server,
      say('a\u001b[2Jb\u202ec'),
      { kind: 'tool_result', callId: 'c', name: 'x\u001b[31m', ok: false, output: 'bad\r\u001b[A', durationMs: 1 },
      end(),
    );
    const { stdout, stderr } = await cli.run(['run', 'hello']);
    expect(stdout).toBe('a[2Jbc\n');
    expect(stderr).toBe(where() + '✗ x [31m: bad [A\n');
  });

  test('attaches files with their MIME type and rejects an unreadable one before sending', async () => {
    answerWith(cli.server, end());
    await writeFile(join(cli.home, 'notes.md'), '# Notes');
    await writeFile(join(cli.home, 'dot.png'), 'png');
    expect((await cli.run(['run', 'look', '--attach', 'notes.md', '-a', 'dot.png'])).code).toBe(0);
    const sent = JSON.parse(cli.server.calls.find((call) => call.startsWith('POST /api/message'))?.slice('POST /api/message '.length) ?? '');
    expect(sent.attachments).toEqual([
      { name: 'notes.md', dataUrl: `data:text/markdown;base64,${Buffer.from('# Notes').toString('base64')}` },
      { name: 'dot.png', dataUrl: `data:image/png;base64,${Buffer.from('png').toString('base64')}` },
    ]);
    cli.server.calls.length = 0;
    expect(await cli.run(['run', 'look', '-a', 'none.txt'])).toMatchObject({ code: 2, stderr: 'none.txt cannot be attached: it does not exist.\n' });
    expect(await cli.run(['run', 'look', '-a', '.'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not a file') });
    expect(cli.server.calls).toEqual([]);
  });

  test('stops reading endless input when aborted', async () => {
    const stop = new AbortController();
    const endless = { [Symbol.asyncIterator]: () => ({ next: () => (stop.abort(), new Promise<never>(() => undefined)) }) };
    expect((await cli.run(['run', '-'], { input: endless, signal: stop.signal })).code).toBe(130);
  });
});

function silentInput(): { readonly lines: AsyncIterable<string>; readonly isRead: Promise<void> } {
  let started = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (started = resolve));
  const next = (): Promise<IteratorResult<string>> => (started(), new Promise(() => undefined));
  return { isRead, lines: { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.resolve({ done: true, value: undefined }) }) } };
}
