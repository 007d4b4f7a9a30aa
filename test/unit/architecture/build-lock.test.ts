// Two test runs in one folder do not empty what the other one builds.
import { expect, test } from 'vitest';
import { whileNobodyBuilds } from '../../helpers/build-lock.ts';

test('builds run one after the other, also after one that failed', async () => {
  let building = 0;
  let most = 0;
  const ended: number[] = [];
  const build = (number: number) => async (): Promise<void> => {
    most = Math.max(most, ++building);
    await new Promise((resolve) => setTimeout(resolve, 20));
    building--;
    ended.push(number);
    if (number === 1) throw new Error('broken');
  };
  const name = `test-${process.pid}`;
  const all = await Promise.allSettled([1, 2, 3, 4].map((number) => whileNobodyBuilds(build(number), name)));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect([most, ended.sort()]).toEqual([1, [1, 2, 3, 4]]);
});
