import { describe, expect, test } from 'vitest';
import { startCli } from './cli-kernel.ts';
import { answerWith, end, takeDecisions } from './fake-server.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const approval = {
  kind: 'tool_approval',
  approvalId: 'appr_1',
  callId: 'call_1',
  name: 'run_command',
  args: { command: 'rm x' },
  effects: ['execute'],
  reason: 'It runs a command.',
  preview: { kind: 'command', command: 'rm x', cwd: '/work' },
};
const question = { kind: 'ask_user', askId: 'ask_1', callId: 'call_1', prompt: 'Which colour?', options: ['red', 'blue'] };

const cli = useEach(() => startCli());

describe('approvals and questions in a run', () => {
  test('without a terminal, --yes leaves a question unanswered and the run exits 3', async () => {
    answerWith(cli.server, question);
    takeDecisions(cli.server);
    expect((await cli.run(['run', 'paint', '--yes'])).code).toBe(3);
    expect(cli.server.calls.at(-1)).toContain('POST /api/answer {"askId":"ask_1"');
  });

  test.each([
    [['y'], '"decision":"approve"}'],
    [['what?', 'a'], '"decision":"approve","remember":"chat"}'],
    [['n not that file'], '"decision":"reject","reason":"not that file"}'],
    [['e', 'no json', '{"command":"ls"}'], '"decision":"edit","args":{"command":"ls"}}'],
    [['e', '', 'yes'], '"decision":"approve"}'],
  ])('sends the decision that a person enters as %j', async (input, decision) => {
    answerWith(cli.server, { ...approval, remembers: 'Commands of this kind.' });
    takeDecisions(cli.server);
    const { code, stderr } = await cli.run(['run', 'clean up'], { input, isPerson: true });
    expect(code).toBe(0);
    expect(stderr).toContain(
      '? run_command (execute) needs your approval: It runs a command.\n  in /work:\n    rm x\nRule that [a]lways or [f]older would add: Commands of this kind.\nApprove it?',
    );
    expect(cli.server.calls.filter((call) => call.includes('approve'))).toEqual([`POST /api/approve {"approvalId":"appr_1",${decision}`]);
  });

  test('shows control characters and invisible characters as escapes', async () => {
    const command = 'echo safe\b\b\b\bevil\u3164 \u202etxt';
    answerWith(cli.server, { ...approval, args: { command }, reason: 'It says\u200b so.', preview: { ...approval.preview, command, cwd: '/work\u00a0' } });
    takeDecisions(cli.server);
    const { stderr } = await cli.run(['run', 'clean up'], { input: ['e', '', 'n'], isPerson: true });
    expect(stderr).toContain('It says[U+200B] so.\n  in /work[U+00A0]:\n    echo safe[U+0008][U+0008][U+0008][U+0008]evil[U+3164] [U+202E]txt\n');
    expect(stderr).toContain('{"command":"echo safe\\b\\b\\b\\bevil\\u3164 \\u202etxt"}\nThe arguments');
  });

  test('accepts the number of an option or free text as the answer', async () => {
    for (const [line, answer] of [
      ['2', 'blue'],
      ['green', 'green'],
    ]) {
      answerWith(cli.server, question);
      takeDecisions(cli.server);
      const { stderr } = await cli.run(['run', 'paint'], { input: [line as string], isPerson: true });
      expect(stderr).toContain('? Which colour?\n  1) red\n  2) blue\n> ');
      expect(cli.server.calls.at(-1)).toBe(`POST /api/answer {"askId":"ask_1","answer":"${answer}"}`);
    }
  });

  test('exits 3 when the input ends at an approval', async () => {
    answerWith(cli.server, approval);
    takeDecisions(cli.server);
    expect((await cli.run(['run', 'clean up'], { input: [], isPerson: true })).code).toBe(3);
  });

  test('exits 0 when another client already resolved the approval', async () => {
    answerWith(cli.server, approval);
    cli.server.on('POST /api/approve', () => {
      cli.server.emit({ turnId: 'turn_1', ...end() });
      return { status: 409, body: { error: { code: 'already_resolved', message: 'It was decided already.' } } };
    });
    expect((await cli.run(['run', 'clean up', '--yes'])).code).toBe(0);
  });
});
