// A thousand texts pass through the nodes between a computer and its phone or guest: no node keeps one.
import { test } from 'vitest';
import { startOutsideNodes } from '../../helpers/outside-nodes.ts';
import { expectNoMarksInNodes as expectNoneOfPhone, useOutside } from '../../system/browser/use-outside.ts';
import { expectNoMarksInNodes as expectNoneOfGuest } from './mirror-marks.ts';

const outside = useOutside();

test.skipIf(process.platform !== 'linux')('of a conversation on a phone', () => expectNoneOfPhone(outside(), 1_000));

test.skipIf(process.platform !== 'linux')('of a mirrored window', async () => {
  const nodes = await startOutsideNodes();
  try {
    await expectNoneOfGuest(nodes, 1_000);
  } finally {
    await nodes.close();
  }
});
