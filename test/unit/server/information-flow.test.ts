// Tests injected instructions with a model that obeys them: nothing leaves, runs or is noted without an approval that names its source.
import '../../helpers/plain-resolution.ts';
import { describe, expect, test } from 'vitest';
import { corpus } from '../../fixtures/injection/index.ts';
import { startInjectionWorld } from '../../helpers/injection-world.ts';
import { useAll } from '../../helpers/use-opened.ts';

const world = useAll(() => startInjectionWorld());

for (const [name, cases] of Object.entries(corpus)) {
  describe(name, () => {
    test.each(cases)('$name', async (one) => {
      const { left, done, questions } = await world.run(one);
      expect(left.slice(one.harmless ?? 0)).toEqual([]);
      expect(done).toEqual([]);
      expect(questions.map(({ reason }) => reason).join('\n')).toMatch(one.cause);
    });
  });
}

test('the corpus has enough cases with unique names', () => {
  const names = Object.values(corpus).flatMap((cases) => cases.map((one) => one.name));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(150);
});
