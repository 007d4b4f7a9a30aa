import { describe, expect, test } from 'vitest';
import { startCli } from './cli-kernel.ts';
import { answerMessages, chatId, end, say, takeDecisions } from './fake-server.ts';
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

function typist(steps: readonly (readonly [waitFor: string, line: string])[]): { lines: AsyncIterable<string>; watch: (written: string) => void } {
  let written = '';
  let wake: () => void = () => undefined;
  async function* type(): AsyncGenerator<string> {
    for (const [waitFor, line] of steps) {
      while (!written.includes(waitFor)) await new Promise<void>((resolve) => (wake = resolve));
      yield line;
    }
  }
  return {
    lines: type(),
    watch(text) {
      written = text;
      wake();
    },
  };
}

describe('chat', () => {
  test('answers what is piped in, one turn after the other, and leaves', async () => {
    answerMessages(cli.server, ({ text, turnId, emit }) => {
      emit(say(`You said ${text}.`, 0, turnId));
      emit(end());
    });
    const { code, stdout } = await cli.run(['chat'], { input: ['one', '', 'two'] });
    expect(code).toBe(0);
    expect(stdout).toBe('Agent: You said one.\nAgent: You said two.\n');
    expect(cli.server.calls.filter((call) => call.startsWith('POST /api/message'))).toEqual([
      expect.stringContaining('"text":"one"'),
      expect.stringContaining('"whenBusy":"queue"'),
    ]);
  });

  test('waits for the last answer when the input has ended', async () => {
    answerMessages(cli.server, ({ emit }) => setImmediate(() => [say('Late.'), end()].forEach(emit)));
    expect((await cli.run(['chat'], { input: ['hello'] })).stdout).toBe('Agent: Late.\n');
  });

  test('leaves at /exit and passes other commands on', async () => {
    answerMessages(cli.server, ({ emit }) => [say('- `/help`'), end()].forEach(emit));
    const { lines, watch } = typist([
      ['', '/help'],
      ['/help`', '/exit'],
      ['never', 'not typed'],
    ]);
    expect(await cli.run(['chat', '--chat', chatId], { input: lines, isPerson: true, watch })).toMatchObject({ code: 0, stdout: 'Agent: - `/help`\n' });
  });

  test('runs a command whose answer is a secret apart from the conversation: shown, and part of no message', async () => {
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

  test('asks for an approval in between and goes on', async () => {
    answerMessages(cli.server, ({ emit }) => emit(approval));
    takeDecisions(cli.server, () => [say('Removed.'), end()].forEach((event) => cli.server.emit({ turnId: 'turn_1', ...event })));
    const { lines, watch } = typist([
      ['', 'remove x'],
      ['Allow it?', 'y'],
      ['Removed.', '/exit'],
    ]);
    const { stdout } = await cli.run(['chat'], { input: lines, isPerson: true, watch });
    expect(stdout).toContain(
      'Asks: run_command (execute) needs your approval: It runs a command.\n  {"command":"rm x"}\nAllow it? Type yes, no or edit; a reason may follow no: Agent: Removed.\n',
    );
  });

  test.each([
    ['a', 'chat'],
    ['folder', 'workspace'],
  ])('offers to remember a decision only in the words of the server: %s', async (word, scope) => {
    answerMessages(cli.server, ({ emit }) => emit({ ...approval, remembers: 'Holds in this chat for every call.' }));
    takeDecisions(cli.server, () => cli.server.emit({ turnId: 'turn_1', ...end() }));
    const { lines, watch } = typist([
      ['', 'remove x'],
      [
        'What always and folder would remember: Holds for every call.\n' +
          'Allow it? Type yes, no or edit, always for this chat, or folder for always in this folder; a reason may follow no: ',
        word,
      ],
      ['', '/exit'],
    ]);
    await cli.run(['chat'], { input: lines, isPerson: true, watch });
    expect(cli.server.calls).toContain(`POST /api/approve {"approvalId":"appr_1","decision":"approve","remember":"${scope}"}`);
  });

  test('where the server keeps nothing, always asks once more', async () => {
    answerMessages(cli.server, ({ emit }) => emit(approval));
    takeDecisions(cli.server, () => cli.server.emit({ turnId: 'turn_1', ...end() }));
    const { lines, watch } = typist([
      ['', 'remove x'],
      ['Allow it?', 'always'],
      ['follow no: Allow it?', 'y'],
      ['', '/exit'],
    ]);
    await cli.run(['chat'], { input: lines, isPerson: true, watch });
    expect(cli.server.calls).toContain('POST /api/approve {"approvalId":"appr_1","decision":"approve"}');
  });

  test('shows at the start what waits for an answer already', async () => {
    cli.server.on('GET /api/pending', () => ({ body: { approvals: [approval], questions: [] } }));
    takeDecisions(cli.server, () => undefined);
    const { lines, watch } = typist([
      ['Allow it?', 'n'],
      ['', '/exit'],
    ]);
    await cli.run(['chat'], { input: lines, isPerson: true, watch });
    expect(cli.server.calls).toContain('POST /api/approve {"approvalId":"appr_1","decision":"reject"}');
  });

  test('takes an approval back that somebody answers elsewhere', async () => {
    answerMessages(cli.server, ({ emit }) => {
      emit(approval);
      emit({ kind: 'approval_decision', callId: 'call_1', approvalId: 'appr_1', decision: 'reject', by: 'timeout' });
      emit(end());
    });
    const { lines, watch } = typist([
      ['', 'remove x'],
      ['Approval expired.', '/exit'],
    ]);
    expect((await cli.run(['chat'], { input: lines, isPerson: true, watch })).code).toBe(0);
  });

  test('says what is refused and stays', async () => {
    cli.server.on('POST /api/message', () => ({ status: 413, body: { error: { code: 'too_large', message: 'The message is too long.' } } }));
    const { lines, watch } = typist([
      ['', 'x'],
      ['Error: The message is too long.', '/exit'],
    ]);
    expect((await cli.run(['chat'], { input: lines, isPerson: true, watch })).code).toBe(0);
  });

  test('shows what others write into the chat, by their names', async () => {
    const principal = { kind: 'teammate', id: 'mate_1', name: 'Ada', role: 'member' };
    const { lines, watch } = typist([['Message from Ada: from the browser', '/exit']]);
    cli.server.on('GET /api/pending', () => {
      setImmediate(function emit() {
        if (cli.server.connections.length === 0) return setImmediate(emit);
        cli.server.emit({ kind: 'message_accepted', turnId: 'turn_9', messageId: 'msg_9', text: 'from the browser', attachments: [], principal });
      });
      return { body: { approvals: [], questions: [] } };
    });
    expect((await cli.run(['chat'], { input: lines, isPerson: true, watch })).code).toBe(0);
  });
});

describe('Ctrl-C in a chat', () => {
  test('stops the answer first, and leaves when nothing runs', async () => {
    answerMessages(cli.server, ({ emit }) => emit(say('Working…')));
    cli.server.on('POST /api/session/abort', () => {
      cli.server.emit({ turnId: 'turn_1', ...end('aborted') });
      return { body: { ok: true } };
    });
    const before = process.listenerCount('SIGINT');
    const presses = ['Working…', 'Stopped by'];
    const { lines, watch } = typist([
      ['', 'hello'],
      ['never', 'not typed'],
    ]);
    const press = (written: string): void => {
      watch(written);
      if (presses[0] === undefined || !written.includes(presses[0])) return;
      presses.shift();
      setImmediate(() => process.emit('SIGINT'));
    };
    const { code, stdout } = await cli.run(['chat'], { input: lines, isPerson: true, watch: press });
    expect(code).toBe(0);
    expect(stdout).toBe('Agent: Working…\nNote: Stopping. Ctrl-C once more leaves.\nNote: Stopped by the user.\n');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  test('says which lines were taken back before they were heard', async () => {
    answerMessages(cli.server, ({ emit }) => emit(say('Working…')));
    const { lines, watch } = typist([['', 'hello']]);
    const stop = (written: string): void => {
      watch(written);
      if (!written.includes('Working…') || written.includes('Taken')) return;
      cli.server.emit({ turnId: 'turn_1', ...end('aborted'), isUnqueued: true });
    };
    const { stdout } = await cli.run(['chat'], { input: lines, watch: stop });
    expect(stdout).toContain('Note: Withdrawn: the turn before it was stopped, so the model did not get this message.\nYou: hello\n');
    expect(stdout).not.toContain('Stopped by');
  });

  test('pressed twice leaves a turn that does not stop', async () => {
    answerMessages(cli.server, ({ emit }) => emit(say('Working…')));
    cli.server.on('POST /api/session/abort', () => ({ body: { ok: true } }));
    const { lines, watch } = typist([
      ['', 'hello'],
      ['never', 'not typed'],
    ]);
    let seen = 0;
    const press = (written: string): void => {
      watch(written);
      if (written.includes('Working…') && seen++ < 2) setImmediate(() => process.emit('SIGINT'));
    };
    expect((await cli.run(['chat'], { input: lines, isPerson: true, watch: press })).code).toBe(0);
  });

  test('is not needed when the program is asked to end', async () => {
    const stop = new AbortController();
    cli.server.on('GET /api/pending', () => {
      setImmediate(() => stop.abort());
      return { body: { approvals: [], questions: [] } };
    });
    const { lines, watch } = typist([['never', 'not typed']]);
    expect((await cli.run(['chat'], { input: lines, isPerson: true, watch, signal: stop.signal })).code).toBe(0);
  });
});
