// Tests when the plan of a chat is shown, and its one-line summary.
import { expect, test } from 'vitest';
import { isPlanShown, planSummary, readPlan, type PlanItem } from '../../../../builtins/tools/plan/ui/plan-model.ts';

const items = (...states: PlanItem['status'][]): PlanItem[] => states.map((status, index) => ({ text: `step ${index + 1}`, status }));

test('hides an empty plan, and a completed one once its turn is over', () => {
  expect(isPlanShown({ items: [], turnId: 't' }, 't')).toBe(false);
  expect(isPlanShown({ items: items('done'), turnId: 't' }, 't')).toBe(true);
  expect(isPlanShown({ items: items('done'), turnId: 't' }, undefined)).toBe(false);
  expect(isPlanShown({ items: items('done'), turnId: 't' }, 'another')).toBe(false);
  expect(isPlanShown({ items: items('done') }, undefined)).toBe(false);
  expect(isPlanShown({ items: items('done', 'pending'), turnId: 't' }, undefined)).toBe(true);
});

test('names the active step, otherwise the next one', () => {
  expect(planSummary(items('done', 'done', 'active', 'pending'))).toBe('3 of 4: step 3');
  expect(planSummary(items('done', 'pending', 'pending'))).toBe('2 of 3: step 2');
  expect(planSummary(items('done', 'done'))).toBe('2 of 2 done');
});

test('reads an invalid plan as empty and drops invalid items', () => {
  expect(readPlan(undefined, 7)).toEqual({ items: [] });
  expect(readPlan([{ text: 'a', status: 'done' }, { text: 'b', status: 'odd' }, null, 'c'], 't')).toEqual({
    items: [{ text: 'a', status: 'done' }],
    turnId: 't',
  });
});
