// Cancels a scripted turn at every point: it ends as cancelled, its processes are dead, and no update follows.
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startEditor, type Editor, type Message } from '../../helpers/acp-editor.ts';
import { startScriptedModel, type ScriptedRequest, type ScriptedReply } from '../../helpers/scripted-model.ts';
import { startServerProcess } from '../../helpers/server-process.ts';

const stops = Number(process.env['ACP_CANCELS'] ?? 40);
const words = (count: number): string[] => Array.from({ length: count }, (_, at) => `word ${at} `);
/** Unique per process, because other tests on this machine may do the same. */
const nap = `318.${process.pid}`;
const command = `for n in 1 2 3 4 5; do echo line $n; sleep 0.01; done; sleep ${nap} & sleep ${nap}`;

function turn({ body }: ScriptedRequest): ScriptedReply {
  const since = body.messages.slice(body.messages.findLastIndex(({ role }: any) => role === 'user'));
  const round = since.filter(({ role }: any) => role === 'tool').length;
  if (round === 0)
    return {
      reasoning: words(15),
      text: words(15),
      delayMs: 1,
      toolCalls: [{ name: 'write_file', args: { path: 'stopped.txt', content: 'x'.repeat(500) }, fragments: 10 }],
    };
  if (round === 1) return { text: words(15), delayMs: 1, toolCalls: [{ name: 'run_command', args: { command }, fragments: 5 }] };
  return { text: 'Not to be reached.' };
}

async function countSleepers(): Promise<number> {
  const { stdout } = await promisify(execFile)('pgrep', ['-c', '-x', '-f', `sleep ${nap.replace('.', '\\.')}`]).catch(
    (fault: unknown) => fault as { stdout: string },
  );
  return Number(stdout);
}

/** Detects the last update. Earlier ones may be combined into fewer messages than in the previous run. */
const isLast = ({ params }: Message): boolean => JSON.stringify(params?.update?.content ?? '').includes('line 5');

/** Cancels after that many messages of the turn, or after its last one. Returns their number and the duration of the cancellation in milliseconds. */
async function stopAfter(editor: Editor, sessionId: string, messages: number): Promise<{ readonly count: number; readonly ms: number }> {
  const from = editor.received.length;
  const reply = editor.prompt(sessionId, 'Go.');
  let count = 0;
  if (messages > 0) await editor.until((message) => ++count >= messages || isLast(message), from);
  const at = performance.now();
  editor.notify('session/cancel', { sessionId });
  const answer = await reply;
  const ms = performance.now() - at;
  expect(answer.result).toEqual({ stopReason: 'cancelled' });
  expect(await countSleepers()).toBe(0);
  // The reply to another request arrives after all pending messages.
  await editor.request('session/list', { cwd: '/nobody/works/here' });
  const after = editor.received.indexOf(answer) + 1;
  expect(editor.updates(sessionId, after).filter(({ sessionUpdate }) => !/^(session_info|config|current)/.test(sessionUpdate))).toEqual([]);
  return { count: after - from, ms };
}

test(`cancels a turn ${stops} times, at points spread over the turn`, { timeout: 60_000 + stops * 1_000 }, async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'acp-cancel-home-')));
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'acp-cancel-work-')));
  const model = await startScriptedModel();
  const server = await startServerProcess({ home, workspace, environment: { ...model.environment, AGENT_YOLO: '1' } });
  const editor = startEditor({ home, workspace });
  try {
    model.play(turn);
    await editor.initialize();
    const sessionId = await editor.newSession();
    await editor.until(({ params }) => params?.update?.sessionUpdate === 'available_commands_update');
    // Runs the turn once completely to learn its length. Its last line is the last message.
    const from = editor.received.length;
    const whole = editor.prompt(sessionId, 'Go.');
    await editor.until(isLast, from);
    const length = editor.received.length - from;
    editor.notify('session/cancel', { sessionId });
    await whole;
    let slowest = 0;
    // Starts a new chat now and then, because a long history would distort the measurement.
    let chat = sessionId;
    for (let stop = 0; stop < stops; stop++) {
      if (stop % 50 === 49) chat = await editor.newSession();
      const { ms } = await stopAfter(editor, chat, Math.floor(((stop % 100) / Math.min(100, stops)) * length * 0.9));
      slowest = Math.max(slowest, ms);
    }
    process.stdout.write(`${stops} stops over ${length} messages, the slowest answered after ${slowest.toFixed(1)} ms\n`);
    expect(editor.faults()).toEqual([]);
  } finally {
    await editor.end();
    await server.stop();
    await model.close();
    for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
  }
  expect(await countSleepers()).toBe(0);
});
