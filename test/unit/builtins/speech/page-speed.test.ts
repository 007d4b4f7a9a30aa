// The choice of speeds.
import { expect, test } from 'vitest';
import { speedTitles, titleOf } from '../../../../builtins/voice/speech/ui/speed.ts';

test('the slowest speed stands first, and each title says its speed', () => {
  const speeds = Object.keys(speedTitles).map(Number.parseFloat);
  expect(speeds).toEqual([0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3]);
  expect(speeds.map(titleOf)).toEqual(Object.values(speedTitles));
});
