// Kills the server at random moments between the preview of a command, its approval and its application: after a restart the workspace is unchanged or
// fully changed, no staging folder remains, and the journal states which. `KILLS` sets how often.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { picture } from '../../unit/builtins/effect-preview/stage-world.ts';
import { whyNot } from '../../unit/builtins/effect-preview/overlay-tests.ts';
import { diceFrom, seed } from '../../helpers/dice.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

const kills = Number(process.env['KILLS'] ?? 0);
const files = 60;

async function fill(workspace: string): Promise<void> {
  await mkdir(join(workspace, 'gone/in'), { recursive: true });
  for (let at = 0; at < files; at++) await writeFile(join(workspace, `f${at}.txt`), `line of ${at}\n`);
  for (let at = 0; at < 10; at++) await writeFile(join(workspace, `gone/in/${at}`), `${at}\n`);
}

const commandOf = (round: number): string =>
  `for f in f*.txt; do echo ${round} >> $f; done; rm -r gone; mkdir -p made/in; echo ${round} > made/in/x; chmod 700 made; ln -s f1.txt link; mv f0.txt moved.txt`;

test.skipIf(kills === 0 || whyNot !== undefined)(
  'applies an approved command completely or not at all whenever the server is killed',
  { timeout: 60_000 + kills * 30_000 },
  async () => {
    const dice = diceFrom(seed);
    const folder = await mkdtemp(join(tmpdir(), 'effect-kills-'));
    const [home, workspace, twin] = ['home', 'work', 'twin'].map((name) => join(folder, name)) as [string, string, string];
    await mkdir(workspace, { recursive: true });
    let round = 0;
    const model = await startScriptedModel((request) => {
      const { body } = request as { body: any };
      const asked = body.messages.findLastIndex((one: any) => one.role === 'user' && JSON.stringify(one.content).includes(`Round ${round}.`));
      if (body.messages.slice(asked).some((one: any) => one.role === 'tool')) return { text: 'Done.' };
      return { toolCalls: [{ name: 'run_command', args: { command: commandOf(round) } }] };
    });
    const options = { home, workspace, environment: { ...model.environment, AGENT_WORKSPACE_ROOT: workspace, AGENT_PERSONA_ASK: '0' } };
    let server = await startServerProcess(options);
    const rowsOf = async (chatId: string): Promise<any[]> =>
      (await readFile(join(home, 'chats', chatId, 'session.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const question = async (one: ServerProcess): Promise<any> => {
      const find = async (): Promise<any> => (await one.call('GET', '/api/pending')).body.approvals.find((found: any) => found.rehearsal?.state === 'ready');
      await expect.poll(find, { timeout: 20_000 }).toBeTruthy();
      return find();
    };
    /** Duration of one complete application in milliseconds. Kills occur within slightly more than that. */
    let longest = 0;
    const found = { duringRehearsal: 0, beforeYes: 0, untouched: 0, applied: 0, ended: 0 };
    try {
      for (; round <= kills; round++) {
        execFileSync('sh', ['-c', 'rm -rf "$1" "$2"', 'sh', workspace, twin]);
        await mkdir(workspace);
        await fill(workspace);
        execFileSync('cp', ['-a', workspace, twin]);
        execFileSync('sh', ['-c', commandOf(round)], { cwd: twin });
        const [before, after] = await Promise.all([picture(workspace), picture(twin)]);
        const { chatId, turnId } = (await server.call('POST', '/api/message', { text: `Round ${round}.` })).body;
        const when = round % 4;
        if (when === 0) await new Promise((resolve) => setTimeout(resolve, dice() * 400));
        else {
          const { approvalId, rehearsal } = await question(server);
          if (when > 1) {
            const started = performance.now();
            const answered = server.call('POST', '/api/approve', { approvalId, decision: 'approve', rehearsal: rehearsal.id }).catch(() => undefined);
            if (round === 2) {
              await answered;
              await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy, { timeout: 20_000, interval: 5 }).toBe(false);
              longest = performance.now() - started;
            } else await new Promise((resolve) => setTimeout(resolve, dice() * 1.2 * longest));
          }
        }
        await server.stop('SIGKILL');
        server = await startServerProcess(options);
        await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy, { timeout: 20_000 }).toBe(false);
        const now = await picture(workspace);
        const isApplied = JSON.stringify(now) === JSON.stringify(after);
        expect([before, after], `round ${round}`).toContainEqual(now);
        await expect.poll(() => readdir(join(home, 'plugin-data/effect-preview')).catch(() => []), { timeout: 20_000 }).toEqual([]);

        const rows = (await rowsOf(chatId)).filter((row) => row.turnId === turnId || row.kind === 'announcement');
        const isApproved = rows.some((row) => row.kind === 'approval_decision' && row.decision === 'approve');
        const result = rows.find((row) => row.kind === 'tool_result');
        const said = rows.filter((row) => row.kind === 'announcement' && row.origin?.plugin === 'effect-preview' && row.at >= (result?.at ?? ''));
        if (isApplied) expect(isApproved, `round ${round}`).toBe(true);
        if (result?.ok === true) expect(isApplied, `round ${round}`).toBe(true);
        // Without a tool result, an announcement reports the outcome.
        const wasSaid = said.some(({ text }) => text.includes('the approved changes of a command. Completed: '));
        if (isApplied && result?.ok !== true) expect(wasSaid, `round ${round}: ${JSON.stringify(said)}`).toBe(true);
        if (when === 0) found.duringRehearsal++;
        else if (when === 1) found.beforeYes++;
        else if (!isApplied) found.untouched++;
        else found[result?.ok === true ? 'applied' : 'ended']++;

        const { status, body } = await server.call('POST', '/api/undo', { turnId });
        if (isApplied) {
          expect([status, body.conflicts], `round ${round}`).toEqual([200, []]);
          const texts = (rows_: string[]): string[] => rows_.filter((row) => / \d+ \d+ /.test(row)).map((row) => row.replace(/ \d+ (\d+) /, ' $1 '));
          expect(texts(await picture(workspace)), `round ${round}`).toEqual(texts(before));
        } else expect(await picture(workspace), `round ${round}: ${status}`).toEqual(before);
      }
      process.stdout.write(`${kills + 1} kills: ${JSON.stringify(found)}; a whole one takes ${longest.toFixed(0)} ms\n`);
    } finally {
      await server.stop('SIGKILL');
      await model.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
