// Tests the persona in the terminal: the initial question and the command.
import { expect, test } from 'vitest';
import { runCommandLine, type Step, typeLines } from '../../../helpers/command-line.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { configOf, personaOf } from './persona-world.ts';

let harness: Harness;

const start = async (environment: Record<string, string> = {}): Promise<void> =>
  void (harness = await startHarness({ builtins: ['persona', 'cli', 'model-demo'], environment }));

async function run(argv: readonly string[], steps: readonly Step[] = [], isPerson = true): ReturnType<typeof runCommandLine> {
  const ended = await runCommandLine(harness.kernel, argv, { ...typeLines(...steps), isPerson, isTerminal: isPerson });
  return { ...ended, stdout: ended.stdout.replace(/\u001b\[\d+m/g, '') };
}

test('asks for a persona at the start of the first conversation only', async () => {
  await start();
  const first = await run(
    ['chat'],
    [
      ['(Enter skips) > ', 'Formal butler, calls me Sir'],
      ['Formal butler. /persona shows and changes it.\nYou: ', '/exit'],
    ],
  );
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('What should I be like?');
  expect(await configOf(harness)).toMatchObject({ personaBootstrapPending: false, personaDisplayLabel: 'Formal butler' });
  expect((await personaOf(harness)).profile).toMatchObject({ formality: 'formal', address: 'Sir' });
  expect((await run(['chat'], [['You: ', '/exit']])).stdout).not.toContain('What should I be like?');
});

test('skips the question on Enter, and repeats it if skipping is not allowed', async () => {
  await start({ AGENT_PERSONA_BOOTSTRAP_ALLOW_SKIP: '0' });
  const asked = await run(
    ['chat'],
    [
      ['I am wrong.\n> ', ''],
      ['Answer this question first.\n> ', '/exit'],
    ],
  );
  expect(asked.stdout).not.toContain('(Enter skips)');
  const { home } = harness;
  await harness.close({ keepFiles: true });
  harness = await startHarness({ home, builtins: ['persona', 'cli', 'model-demo'] });
  await run(
    ['chat'],
    [
      ['(Enter skips) > ', ''],
      ['Skipped. Set it later with /persona and a sentence.\nYou: ', '/exit'],
    ],
  );
  expect((await personaOf(harness)).bootstrap.state).toBe('skipped');
});

test('does not ask when input is not a terminal', async () => {
  await start();
  expect((await run(['chat'], [['', 'list the files']], false)).stdout).not.toContain('What should I be like?');
  expect((await personaOf(harness)).bootstrap.state).toBe('pending');
});

test('shows, sets, removes and reverts the persona by command', async () => {
  await start();
  expect((await run(['persona'])).stdout).toContain('There is no persona.');
  const made = await run(['persona', 'set', 'Dry, named Kea']);
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('Kea\n\nrails\n')]);
  expect((await run(['persona', 'reset'])).stdout).toContain('There is no persona.');
  expect((await run(['persona', 'back'])).stdout).toMatch(/^Kea\n/);
  expect((await run(['persona', 'history'])).stdout).toMatch(/^3 .*Kea.*\n2 .*–.*\n1 .*Kea/);
  expect(JSON.parse((await run(['persona', 'show', '--json'])).stdout)).toMatchObject({ label: 'Kea', revision: 3 });
  expect((await run(['persona', 'back', '7'])).code).toBe(1);
});

test.each([
  [['set'], "'persona set' needs a sentence in quotes."],
  [['set', 'a', 'b'], "'persona set' takes no further arguments; put a sentence in quotes."],
  [['back', 'x'], "'persona back' takes the number of a version"],
  [['show', 'more'], "'persona show' takes no further arguments"],
])('rejects the arguments %j with an explanation and exits with code 2', async (args, explanation) => {
  await start();
  expect(await run(['persona', ...args])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(explanation) });
});
