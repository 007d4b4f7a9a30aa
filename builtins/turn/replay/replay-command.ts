// Implements the CLI command `replay`. Its exit code is 0 if the replay equals the recorded turn, and 1 if it differs.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { jsonOf } from '#lib/values';
import type { CliCommand, CliOutput } from 'agent-harness/plugins/commands';
import type { View } from 'agent-harness/plugins/views';
import { viewText } from 'agent-harness/view';
import { replayedView } from './replay-view.ts';
import type { Replays } from './replays.ts';

/** Maximum size of an untrusted turn file in bytes. */
const mostBytes = 32 * 1024 * 1024;

type Input = Parameters<CliCommand['run']>[0];

export async function runReplay(replays: Replays, { positionals: [turn], options }: Input, output: CliOutput): Promise<number> {
  const option = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined);
  const show = (view: View, value: object): void =>
    output.out(options['json'] === true ? `${JSON.stringify(value)}\n` : `${viewText(view, { columns: 120 })}\n`);
  const [chat, newFile] = [option('chat'), option('save-test')];
  const testFile = option('test') ?? (turn !== undefined && /[./\\]/.test(turn) ? turn : undefined);
  if (testFile !== undefined) {
    const { size } = await stat(testFile);
    if (size > mostBytes) throw new Error(`${testFile} has ${size} bytes, which exceeds the maximum size of a turn file.`);
    const tested = await replays.play(jsonOf(await readFile(testFile, 'utf8')));
    show(replayedView(tested), tested);
    return tested.difference ? 1 : 0;
  }
  if (newFile !== undefined) {
    const { turn: test } = await replays.pack(chat, turn, { earlier: true, requests: true, results: true, mask: (text) => text });
    await writeFile(newFile, `${JSON.stringify(test, undefined, 1)}\n`);
    output.out(`Saved ${test.expected.length} events of turn ${test.record.turnId} as a test in ${newFile}.\n`);
    return 0;
  }
  const replayed = await replays.replay(chat, turn);
  show(replayedView(replayed), replayed);
  return replayed.difference ? 1 : 0;
}
