// When the plan of a chat is shown, and what its one line says.
import { expect, test } from 'vitest';
import { isPlanShown, planSummary, readPlan, type PlanItem } from '../../../../builtins/tools/plan/ui/plan-model.ts';

const items = (...states: PlanItem['status'][]): PlanItem[] => states.map((status, index) => ({ text: `step ${index + 1}`, status }));

test('an empty plan is hidden; one that is done stays until its turn is over', () => {
  expect(isPlanShown({ items: [], turnId: 't' }, 't')).toBe(false);
  expect(isPlanShown({ items: items('done'), turnId: 't' }, 't')).toBe(true);
  expect(isPlanShown({ items: items('done'), turnId: 't' }, undefined)).toBe(false);
  expect(isPlanShown({ items: items('done'), turnId: 't' }, 'another')).toBe(false);
  expect(isPlanShown({ items: items('done') }, undefined)).toBe(false);
  expect(isPlanShown({ items: items('done', 'pending'), turnId: 't' }, undefined)).toBe(true);
});

test('the line names the active step, otherwise the next one', () => {
  expect(planSummary(items('done', 'done', 'active', 'pending'))).toBe('3 of 4: step 3');
  expect(planSummary(items('done', 'pending', 'pending'))).toBe('2 of 3: step 2');
  expect(planSummary(items('done', 'done'))).toBe('2 of 2 done');
});

test('what is no plan is read as an empty one', () => {
  expect(readPlan(undefined, 7)).toEqual({ items: [] });
  expect(readPlan([{ text: 'a', status: 'done' }, { text: 'b', status: 'odd' }, null, 'c'], 't')).toEqual({
    items: [{ text: 'a', status: 'done' }],
    turnId: 't',
  });
});
