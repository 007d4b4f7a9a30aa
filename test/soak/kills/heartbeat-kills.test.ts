// Kills a heartbeat at each step: the next start makes no second call, shows no duplicate, and its ledger is complete.
// `ROUNDS=10 npx vitest run test/soak/kills/heartbeat-kills.test.ts` kills ten times at each step; without ROUNDS, once at four steps.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram, type EndedProgram } from '../../helpers/program.ts';
import { startScriptedModel, type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { useAll } from '../../helpers/use-opened.ts';

const rounds = Number(process.env['ROUNDS'] ?? 0);
const thought = { reflections: ['They deploy on Fridays.'], memoryCandidates: [], nudge: { text: 'Nobody reviews it yet.', confidence: 0.95 } };
const isBeat = ({ body }: ScriptedRequest): boolean => String(body.messages[0].content).startsWith('You review the last exchange');
const model = useAll(() => startScriptedModel((request) => ({ text: isBeat(request) ? JSON.stringify(thought) : 'Done.' })));

interface Life {
  readonly step?: string;
  readonly hours?: number;
  readonly isEarly?: boolean;
  readonly text?: string;
}

const live = (home: string, workspace: string, life: Life): Promise<EndedProgram> =>
  runProgram([home, workspace, JSON.stringify(life)], {
    main: join(import.meta.dirname, 'heartbeat-child.mjs'),
    environment: { HOME: home, ...model.environment },
  });

const json = async (path: string): Promise<any> => JSON.parse(await readFile(path, 'utf8').catch(() => 'null'));
const rows = async (path: string): Promise<any[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** The steps in order, with the expected calls and nudges after a kill there and a restart. */
const steps: readonly (readonly [step: string, calls: number, nudges: number, outcome: string | undefined])[] = [
  ['file before 1', 0, 1, undefined],
  ['file after 1', 0, 0, 'interrupted'],
  ['started', 0, 0, 'interrupted'],
  ['file before 2', 1, 0, 'interrupted'],
  ['file after 2', 1, 1, 'completed'],
  ['said before', 1, 1, 'completed'],
  ['said after', 1, 1, 'completed'],
  ['file before 3', 1, 1, 'completed'],
  ['file after 3', 1, 1, 'completed'],
  ['file before 4', 1, 1, 'completed'],
  ['file after 4', 1, 1, 'completed'],
];

const some = new Set(['file after 1', 'file before 2', 'said before', 'file after 3']);

test.each(steps.filter(([step]) => rounds > 0 || some.has(step)))(
  'recovers after a kill at “%s” without a second call or a duplicate nudge',
  async (step, calls, nudges, outcome) => {
    for (let round = 0; round < Math.max(1, rounds); round++) {
      const home = await mkdtemp(join(tmpdir(), 'beat-kill-'));
      const workspace = await mkdtemp(join(tmpdir(), 'beat-kill-work-'));
      const words = `about ${step} ${round}`;
      const beatsAbout = (text: string): number => model.requests.filter((one) => isBeat(one) && JSON.parse(one.body.messages[1].content).user === text).length;
      try {
        expect(await live(home, workspace, { step, text: words, hours: 1 })).toMatchObject({ code: 'SIGKILL' });
        // If a run had begun before the kill, the first turn after the restart triggers no tick yet.
        const again = `again ${words}`;
        expect(await live(home, workspace, { text: again, hours: 1, isEarly: true })).toMatchObject({ code: 0 });
        expect(beatsAbout(again)).toBe(outcome === undefined ? 1 : 0);
        const ledger = await json(join(home, 'heartbeat.json'));
        expect(ledger?.open).toBeUndefined();
        expect((ledger?.runs ?? []).map((run: any) => run.outcome)).toEqual([outcome ?? 'completed']);
        expect((await rows(join(workspace, '.agent_heartbeat.jsonl'))).map((line) => line.outcome)).toEqual([outcome ?? 'completed']);
        expect(beatsAbout(words)).toBe(calls);
        const { chatId } = await json(join(home, 'active_chat.json'));
        const said = (await rows(join(home, 'chats', chatId, 'session.jsonl'))).filter(({ kind }) => kind === 'announcement');
        expect(said.length).toBe(nudges);

        const later = `later ${words}`;
        expect(await live(home, workspace, { text: later, hours: 3 })).toMatchObject({ code: 0 });
        expect(beatsAbout(later)).toBe(1);
      } finally {
        for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
      }
    }
  },
  60_000 * Math.max(1, rounds),
);
