import { expect, test } from 'vitest';
import { isVersion } from '../../../../plugins/lib/versions.ts';

test('isVersion accepts semantic versions only', () => {
  for (const one of ['0.0.0', '1.4.2', '10.20.30', '2.0.0-beta.1', '1.0.0-x-y.z']) expect(isVersion(one)).toBe(true);
  for (const one of ['', '1', '1.2', 'v1.2.3', '1.2.3.4', '1.2.3-', '1.2.3 ', '../1.2.3', '1.2.3-a/b', '1.2.3+x']) expect(isVersion(one)).toBe(false);
});
