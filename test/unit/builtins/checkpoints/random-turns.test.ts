// Property test of undo: random turns and manual edits, compared with a model. `TURNS` sets the number of runs (`npm run soak undo`).
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { runs } from '../../../helpers/dice.ts';
import { openWorld, type Call } from './whole-turn-world.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const turns = Number(process.env['TURNS'] ?? 12);
const cells = ['a.txt', 'b.txt', 'counter a', 'counter b', 'note x', 'note y', 'reminders', 'setting', 'plan', 'living'] as const;
type Cell = (typeof cells)[number];
type Values = Record<Cell, unknown>;
type Hand = 'elsewhere' | 'same';
/** States in which undo can merge a later change. */
const splittable: readonly Cell[] = ['a.txt', 'b.txt', 'counter a', 'counter b', 'reminders'];
const byHand: readonly Cell[] = [...splittable, 'note x', 'note y', 'setting'];

let serial = 0;
const unique = (): string => `${++serial}`;
const page = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
const withLine = (text: string, at: number, line: string): string => text.split('\n').with(at, line).join('\n');
const last = (cell: Cell): string => cell.split(' ').at(-1) ?? '';

const world = useAll(() => openWorld());
beforeAll(async () => {
  for (const name of ['a.txt', 'b.txt']) await world.file(name, page);
  for (const key of ['a', 'b']) world.counter(key, page);
  await world.reminders(['kept']);
});

/** Reads the saved value: a setting that a turn changed takes effect only after the end of the turn. */
async function savedSetting(): Promise<unknown> {
  return (await world.harness.kernel.resolve('settings').saved(['AGENT_MAX_ROUNDS']))['AGENT_MAX_ROUNDS'];
}

async function read(): Promise<Values> {
  return {
    ...{ 'a.txt': await world.file('a.txt'), 'b.txt': await world.file('b.txt'), 'counter a': world.counter('a'), 'counter b': world.counter('b') },
    ...{ 'note x': await world.note('x'), 'note y': await world.note('y'), reminders: await world.reminders() },
    ...{ setting: await savedSetting(), plan: await world.plan(), living: await world.living() },
  };
}

function callFor(cell: Cell, now: Values): Call {
  const text = `by turn ${unique()}`;
  if (cell === 'plan') return { name: 'update_plan', args: { items: [{ text, status: 'active' }] } };
  if (cell === 'living') return { name: 'set_persona', args: { input: `Says ${text}.`, as: 'preference' } };
  if (cell === 'setting') return { name: 'set_setting', args: { key: 'AGENT_MAX_ROUNDS', value: String(10 + (++serial % 900)) } };
  if (cell === 'reminders') return { name: 'add_reminder', args: { text } };
  if (cell.startsWith('note')) return { name: 'remember', args: { key: last(cell), value: text } };
  now[cell] = withLine(now[cell] as string, 3, text);
  return cell.startsWith('counter')
    ? { name: 'count', args: { key: last(cell), text: now[cell] } }
    : { name: 'write_file', args: { path: cell, content: now[cell] } };
}

async function changeByHand(cell: Cell, how: Hand, before: unknown, after: unknown): Promise<unknown> {
  const text = `by hand ${unique()}`;
  const isElsewhere = how === 'elsewhere' && splittable.includes(cell);
  if (cell === 'setting') return world.setting('AGENT_MAX_ROUNDS', String(1_000 - (++serial % 80)));
  if (cell.startsWith('note')) return world.note(last(cell), text);
  if (cell === 'reminders') {
    const [was, is] = [before as string[], after as string[]];
    const came = is.filter((one) => !was.includes(one));
    if (isElsewhere) {
      await world.reminders([...is, text]);
      return [...was, text];
    }
    return world.reminders(is.map((one) => (came.includes(one) ? text + one : one)));
  }
  const put = (content: string): unknown => (cell.startsWith('counter') ? world.counter(last(cell), content) : world.file(cell, content));
  const left = await put(withLine(after as string, isElsewhere ? 17 : 3, text));
  return isElsewhere ? withLine(before as string, 17, text) : left;
}

const anyTurn = fc.record({
  does: fc.array(fc.constantFrom(...cells), { minLength: 1, maxLength: 6 }),
  byHand: fc.dictionary(fc.constantFrom(...byHand), fc.constantFrom<Hand>('elsewhere', 'same'), { maxKeys: 4 }),
  restarts: fc.nat(19).map((one) => one === 0),
  redoes: fc.boolean(),
});

const shownOf = (cell: Cell): string =>
  ({ reminders: 'reminders in reminders.json', setting: 'setting AGENT_MAX_ROUNDS', plan: 'the plan', living: 'the persona' })[cell as string] ??
  (cell.startsWith('note') ? `note fact:${last(cell)}` : cell);

test(`undo of ${turns} random turns restores the earlier state and keeps later manual changes`, { timeout: 60_000 + turns * 10_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyTurn, async ({ does, byHand: hands, restarts, redoes }) => {
      const before = await read();
      const simulated = { ...before };
      const turnId = await world.turn(does.map((cell) => callFor(cell, simulated)));
      if (restarts) await world.restart();
      const after = await read();
      const expected = { ...after };
      const left: Cell[] = [];
      for (const cell of does) expected[cell] = before[cell];
      for (const [cell, how] of Object.entries(hands) as [Cell, Hand][]) {
        const isTouched = does.includes(cell);
        const stands = await changeByHand(cell, how, isTouched ? before[cell] : after[cell], after[cell]);
        expected[cell] = isTouched || how === 'same' || !splittable.includes(cell) ? stands : (await read())[cell];
        if (isTouched && (how === 'same' || !splittable.includes(cell))) left.push(cell);
      }
      const changed = await read();
      const { body } = await world.undo({ turnId });
      expect(await read()).toEqual(expected);
      expect([...body.conflicts, ...body.stateConflicts].sort()).toEqual(left.map(shownOf).sort());
      const all = [...new Set(does)].filter((cell) => !left.includes(cell));
      expect([...body.restored, ...body.restoredState].sort()).toEqual(all.map(shownOf).sort());
      if (!redoes || all.length === 0) return;
      await world.harness.call('POST', '/api/redo', {});
      expect(await read()).toEqual(changed);
      await world.undo({ turnId });
      expect(await read()).toEqual(expected);
    }),
    runs(turns),
  );
});
