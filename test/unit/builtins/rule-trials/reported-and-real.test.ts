// Compares the predicted effect of an approval rule with its real effect: random approval histories in several folders, repeated
// under each rule. Runs a few here; `npm run soak rules` runs many and prints the figures.
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '#lib/hash';
import { diceFrom, seed } from '../../../helpers/dice.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { fakeTurn } from '../../../helpers/run-tool.ts';

const histories = Number(process.env['HISTORIES'] ?? 2);
const callsOfOne = 36;

interface Folder {
  readonly root: string;
  readonly chatId: string;
}

interface Call {
  readonly folder: Folder;
  readonly args: Record<string, unknown>;
  readonly isTainted: boolean;
  readonly decision: 'approve' | 'reject';
}

const words = {
  npm: ['run build', 'run lint', 'run test:all', 'test', 'install left-pad', 'publish'],
  make: ['all', 'part1', 'part2', 'docs one.md', 'docs two.md', 'deploy'],
  cargo: ['test --all', 'build', 'build --release'],
  'npm run build': ['&& rm -rf out', '> out', '$(id)'],
} as const;

function randomCall(dice: () => number, folders: readonly Folder[]): Call {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(dice() * from.length)] as T;
  const program = pick(['npm', 'npm', 'npm', 'make', 'make', 'cargo', 'npm run build'] as const);
  const rest = pick(words[program]);
  const more = dice() < 0.1 ? pick([{ network: true }, { background: true }, { cwd: 'inner' }]) : {};
  const isFeared = /publish|deploy|rm|id/.test(rest);
  return {
    folder: pick(folders),
    args: { command: `${program} ${rest}`, ...more },
    isTainted: dice() < 0.2,
    decision: dice() < (isFeared ? 0.8 : 0.05) ? 'reject' : 'approve',
  };
}

/** Returns whether approval was requested; runs nothing. */
async function isAsked({ kernel }: Harness, { folder, args, isTainted, decision }: Call, callId: string): Promise<boolean> {
  const tool = kernel.resolve('tools').find('run_command')!;
  const turnId = kernel.resolve('storage').createId('turn');
  const turn = fakeTurn({ chatId: folder.chatId, turnId, workspaceRoot: folder.root, isTainted });
  let isOver = false;
  let wasAsked = false;
  const answer = kernel
    .resolve('gate')
    .authorize({ callId, tool, args, turn })
    .finally(() => (isOver = true));
  const approvals = kernel.resolve('approvals');
  while (!isOver) {
    const open = approvals.pending(folder.chatId).approvals.find((one) => one.callId === callId);
    if (open && !wasAsked) {
      wasAsked = true;
      await approvals.decide(open.approvalId, { decision });
    } else await new Promise(setImmediate);
  }
  await answer;
  return wasAsked;
}

test(
  'auto-approves exactly the calls that the preview of a rule reported',
  async () => {
    const figures = { histories: 0, questions: 0, rules: 0, rulesForAll: 0, reported: 0, real: 0, both: 0 };
    for (let round = 0; round < histories; round++) {
      const dice = diceFrom(seed + round);
      const place = await realpath(await mkdtemp(join(tmpdir(), 'rules-')));
      const harness = await startHarness({ builtins: ['shell', 'rule-trials'] });
      try {
        const folders: Folder[] = [];
        for (let at = 0; at < 3; at++) {
          const root = await mkdtemp(join(place, 'folder-'));
          await writeFile(join(root, 'README.md'), 'A folder.\n');
          const { chatId } = (await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: root })).body;
          folders.push({ root, chatId });
          const trust = harness.kernel.resolve('trust');
          const files = (await trust.rows(root)).find(({ name }) => name === 'files');
          // The last folder is untrusted.
          if (at < 2 && files) await trust.decide(root, 'files', files.digest, true);
        }
        const calls = Array.from({ length: callsOfOne }, () => randomCall(dice, folders));
        let count = 0;
        const asked = async (call: Call): Promise<boolean> => isAsked(harness, call, `call_${++count}`);
        for (const call of calls) expect(await asked(call)).toBe(true);
        figures.histories++;
        figures.questions += calls.length;

        const chatId = folders[0]!.chatId;
        const act = async (action: string, row: string): Promise<any> =>
          (await harness.call('POST', `/api/views/rules/actions/${action}`, { chatId, row })).body;
        const { blocks } = (await harness.call('GET', `/api/views/rules?chatId=${chatId}`)).body;
        const tables = [2, 3].map((at) => (blocks[at]?.kind === 'table' ? blocks[at].rows : []));
        const reports: { scope: 'here' | 'everywhere'; id: string; subject: string; texts: string[] }[] = [];
        for (const [at, scope] of [[0, 'here'] as const, [1, 'everywhere'] as const])
          for (const { id, cells } of tables[at].slice(0, 2)) {
            const shown = await act(scope === 'here' ? 'show' : 'show-everywhere', id);
            expect(shown, `history ${round}`).toMatchObject({ view: expect.anything() });
            const { view } = shown;
            const answered = view.blocks.filter(({ title = '' }: any) => /^(?:You did not approve|Nobody answered|You approved)/.test(title));
            const texts = answered.flatMap(({ items }: any) => items.map(({ text }: any) => text)).sort();
            expect(view.blocks[0].text).toContain(`would have answered ${texts.length} of your last`);
            reports.push({ scope, id, subject: cells[0], texts });
          }
        for (const { scope, id, subject, texts } of reports) {
          const { rules } = harness.kernel.resolve('approvals');
          const tool = harness.kernel.resolve('tools').find('run_command')!;
          const subjects = (await Promise.all(calls.map(({ args }) => rules.subjectsOf({ tool, args })))).flat();
          // The same command text can also match a call with network access.
          const rule = subjects.find(({ key }) => [key, `everywhere ${key}`].some((text) => sha256(text).startsWith(id)))!;
          await (scope === 'here' ? rules.allow(folders[0]!.root, tool.name, rule) : rules.allowEverywhere(tool.name, rule));
          const passed: string[] = [];
          for (const call of calls) {
            if (scope === 'here' && call.folder.chatId !== chatId) continue;
            if (!(await asked({ ...call, decision: 'reject' }))) passed.push(String(call.args['command']));
          }
          const left = [...texts];
          const both = passed.filter((text) => left.includes(text) && left.splice(left.indexOf(text), 1)).length;
          figures[scope === 'here' ? 'rules' : 'rulesForAll']++;
          figures.reported += texts.length;
          figures.real += passed.length;
          figures.both += both;
          expect(passed.sort(), `history ${round}, always ${subject} (${scope})`).toEqual(texts);
          for (const { id } of await rules.list({ chatId, workspaceRoot: folders[0]!.root })) await rules.remove(id);
        }
      } finally {
        await harness.close();
        await rm(place, { recursive: true, force: true });
      }
    }
    expect(figures.rulesForAll).toBeGreaterThan(0);
    if (process.env['HISTORIES']) process.stdout.write(`${JSON.stringify(figures)}\n`);
  },
  60_000 + histories * 20_000,
);
