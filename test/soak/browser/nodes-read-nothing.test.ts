// Tests that no node between a computer and its phone or remote viewer stores any of a thousand relayed texts.
import { test } from 'vitest';
import { startOutsideNodes } from '../../helpers/relay-nodes.ts';
import { expectNoMarksInNodes as expectNoneOfPhone, useOutside } from '../../system/browser/use-remote-phone.ts';
import { expectNoMarksInNodes as expectNoneOfGuest } from './relayed-texts.ts';

const outside = useOutside();

test.skipIf(process.platform !== 'linux')('stores no text of a conversation on a phone in the nodes', () => expectNoneOfPhone(outside(), 1_000));

test.skipIf(process.platform !== 'linux')('stores no text of a mirrored window in the nodes', async () => {
  const nodes = await startOutsideNodes();
  try {
    await expectNoneOfGuest(nodes, 1_000);
  } finally {
    await nodes.close();
  }
});
