import { describe, expect, test } from 'vitest';
import { startCli } from './cli-kernel.ts';
import { answerMessages, answerWith, chatId, end, endTurnOnAbort, say, takeDecisions } from './fake-server.ts';
import { type Step, typeLines } from '../../../helpers/command-line.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const approval = {
  kind: 'tool_approval',
  approvalId: 'appr_1',
  callId: 'call_1',
  turnId: 'turn_1',
  name: 'run_command',
  args: { command: 'rm x' },
  effects: ['execute'],
  reason: 'It runs a command.',
};

const cli = useEach(() => startCli());

const chat = (...steps: readonly Step[]): ReturnType<typeof cli.run> => cli.run(['chat'], { ...typeLines(...steps), isPerson: true });

describe('chat', () => {
  test('answers piped lines one turn after the other and exits', async () => {
    answerMessages(cli.server, ({ text, turnId, emit }) => [say(`You said ${text}.`, 0, turnId), end()].forEach(emit));
    const { code, stdout } = await cli.run(['chat'], { input: ['one', '', 'two'] });
    expect(code).toBe(0);
    expect(stdout).toBe('Agent: You said one.\nAgent: You said two.\n');
    expect(cli.server.calls.filter((call) => call.startsWith('POST /api/message'))).toEqual([
      expect.stringContaining('"text":"one"'),
      expect.stringContaining('"whenBusy":"queue"'),
    ]);
  });

  test('waits for the last answer after the input has ended', async () => {
    answerMessages(cli.server, ({ emit }) => setImmediate(() => [say('Late.'), end()].forEach(emit)));
    expect((await cli.run(['chat'], { input: ['hello'] })).stdout).toBe('Agent: Late.\n');
  });

  test('exits at /exit and sends other commands to the server', async () => {
    answerWith(cli.server, say('- `/help`'), end());
    const typed = typeLines(['', '/help'], ['/help`', '/exit'], ['never', 'not typed']);
    expect(await cli.run(['chat', '--chat', chatId], { ...typed, isPerson: true })).toMatchObject({ code: 0, stdout: 'Agent: - `/help`\n' });
  });

  test('shows the answer of a secret command without sending it as a message', async () => {
    cli.server.on('GET /api/commands', () => ({
      body: {
        commands: [
          { name: 'remote', summary: '', isSecret: true },
          { name: 'help', summary: '' },
        ],
      },
    }));
    cli.server.on('POST /api/commands', ({ body }) =>
      body.args === 'off'
        ? { status: 409, body: { error: { code: 'unavailable', message: 'There is no window.' } } }
        : { body: { text: 'The code is ABCD2345.' } },
    );
    answerMessages(cli.server, ({ text, emit }) => [say(`Said: ${text}`), end()].forEach(emit));
    const { code, stdout, stderr } = await cli.run(['chat', '--chat', chatId], { input: ['/remote control', '/remote off', '/remotely', '/help'] });
    expect(code).toBe(0);
    expect(stdout + stderr).toContain('The code is ABCD2345.');
    expect(stdout + stderr).toContain('There is no window.');
    const sent = (path: string): any[] =>
      cli.server.calls.filter((call) => call.startsWith(`POST ${path} `)).map((call) => JSON.parse(call.slice(`POST ${path} `.length)));
    expect(sent('/api/commands')).toEqual([
      { chatId, name: 'remote', args: 'control' },
      { chatId, name: 'remote', args: 'off' },
    ]);
    expect(sent('/api/message').map(({ text }) => text)).toEqual(['/remotely', '/help']);
  });

  test('requests an approval during a turn and continues', async () => {
    answerWith(cli.server, approval);
    takeDecisions(cli.server, () => [say('Removed.'), end()].forEach((event) => cli.server.emit({ turnId: 'turn_1', ...event })));
    const { stdout } = await chat(['', 'remove x'], ['Approve it?', 'y'], ['Removed.', '/exit']);
    expect(stdout).toContain(
      'Asks: run_command (execute) needs your approval: It runs a command.\n  {"command":"rm x"}\nApprove it? Type yes, no or edit; a reason may follow no: Agent: Removed.\n',
    );
  });

  test.each([
    ['a', 'chat'],
    ['folder', 'workspace'],
  ])('offers to remember a decision with the text from the server: %s', async (word, scope) => {
    answerWith(cli.server, { ...approval, remembers: 'Holds in this chat for every call.' });
    takeDecisions(cli.server);
    await chat(
      ['', 'remove x'],
      [
        'Rule that always or folder would add: Holds for every call.\n' +
          'Approve it? Type yes, no or edit, always for this chat, or folder for always in this folder; a reason may follow no: ',
        word,
      ],
      ['', '/exit'],
    );
    expect(cli.server.calls).toContain(`POST /api/approve {"approvalId":"appr_1","decision":"approve","remember":"${scope}"}`);
  });

  test('repeats the prompt for always when the server cannot remember the decision', async () => {
    answerWith(cli.server, approval);
    takeDecisions(cli.server);
    await chat(['', 'remove x'], ['Approve it?', 'always'], ['Approve it?', 'y'], ['', '/exit']);
    expect(cli.server.calls).toContain('POST /api/approve {"approvalId":"appr_1","decision":"approve"}');
  });

  test('shows pending approvals at the start', async () => {
    cli.server.on('GET /api/pending', () => ({ body: { approvals: [approval], questions: [] } }));
    takeDecisions(cli.server, () => undefined);
    await chat(['Approve it?', 'n'], ['', '/exit']);
    expect(cli.server.calls).toContain('POST /api/approve {"approvalId":"appr_1","decision":"reject"}');
  });

  test('withdraws an approval that another client resolved', async () => {
    answerWith(cli.server, approval, { kind: 'approval_decision', callId: 'call_1', approvalId: 'appr_1', decision: 'reject', by: 'timeout' }, end());
    expect((await chat(['', 'remove x'], ['Approval expired.', '/exit'])).code).toBe(0);
  });

  test('prints an error reply and continues', async () => {
    cli.server.on('POST /api/message', () => ({ status: 413, body: { error: { code: 'too_large', message: 'The message is too long.' } } }));
    expect((await chat(['', 'x'], ['Error: The message is too long.', '/exit'])).code).toBe(0);
  });

  test('shows messages of other participants with their names', async () => {
    const principal = { kind: 'teammate', id: 'mate_1', name: 'Ada', role: 'member' };
    cli.server.on('GET /api/pending', () => {
      setImmediate(function emit() {
        if (cli.server.connections.length === 0) return setImmediate(emit);
        cli.server.emit({ kind: 'message_accepted', turnId: 'turn_9', messageId: 'msg_9', text: 'from the browser', attachments: [], principal });
      });
      return { body: { approvals: [], questions: [] } };
    });
    expect((await chat(['Message from Ada: from the browser', '/exit'])).code).toBe(0);
  });
});

describe('Ctrl-C in a chat', () => {
  test('stops the running turn first and exits when no turn is running', async () => {
    answerWith(cli.server, say('Working…'));
    endTurnOnAbort(cli.server);
    const before = process.listenerCount('SIGINT');
    const presses = ['Working…', 'Stopped by'];
    const typed = typeLines(['', 'hello'], ['never', 'not typed']);
    const press = (written: string): void => {
      typed.watch?.(written);
      if (presses[0] === undefined || !written.includes(presses[0])) return;
      presses.shift();
      setImmediate(() => process.emit('SIGINT'));
    };
    const { code, stdout } = await cli.run(['chat'], { ...typed, isPerson: true, watch: press });
    expect(code).toBe(0);
    expect(stdout).toBe('Agent: Working…\nNote: Stopping. Press Ctrl-C again to leave.\nNote: Stopped by the user.\n');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  test('lists the queued messages that were withdrawn', async () => {
    answerWith(cli.server, say('Working…'));
    const typed = typeLines(['', 'hello']);
    const stop = (written: string): void => {
      typed.watch?.(written);
      if (!written.includes('Working…') || written.includes('Taken')) return;
      cli.server.emit({ turnId: 'turn_1', ...end('aborted'), isUnqueued: true });
    };
    const { stdout } = await cli.run(['chat'], { ...typed, watch: stop });
    expect(stdout).toContain('Note: Withdrawn: the turn before it was stopped, so the model did not get this message.\nYou: hello\n');
    expect(stdout).not.toContain('Stopped by');
  });

  test('pressed twice, exits although the turn does not stop', async () => {
    answerWith(cli.server, say('Working…'));
    cli.server.on('POST /api/session/abort', () => ({ body: { ok: true } }));
    const typed = typeLines(['', 'hello'], ['never', 'not typed']);
    let seen = 0;
    const press = (written: string): void => {
      typed.watch?.(written);
      if (written.includes('Working…') && seen++ < 2) setImmediate(() => process.emit('SIGINT'));
    };
    expect((await cli.run(['chat'], { ...typed, isPerson: true, watch: press })).code).toBe(0);
  });

  test('is not needed when the program is aborted', async () => {
    const stop = new AbortController();
    cli.server.on('GET /api/pending', () => {
      setImmediate(() => stop.abort());
      return { body: { approvals: [], questions: [] } };
    });
    const typed = typeLines(['never', 'not typed']);
    expect((await cli.run(['chat'], { ...typed, isPerson: true, signal: stop.signal })).code).toBe(0);
  });
});
