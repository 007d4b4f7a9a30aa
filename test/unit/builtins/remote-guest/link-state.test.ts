// What the page of a guest says of its connection: nothing old is called live.
import { expect, test } from 'vitest';
import { clockOffset, silentMs, statusOf, waitBeforeTry, type LinkFacts } from '../../../../builtins/desktop/remote/guest/link-state.ts';

const open: LinkFacts = { phase: 'open', since: 0, heardAt: 10_000, pictureAt: 9_900, host: 'shown' };

test('live is only what was heard within five seconds', () => {
  expect(silentMs).toBeLessThan(5_000);
  expect(statusOf(open, 10_500)).toMatchObject({ tone: 'live', text: 'Live.' });
  expect(statusOf({ ...open, heardAt: 60_000 }, 61_000)).toMatchObject({ tone: 'live', text: 'Live; no change for 51 s.' });
  expect(statusOf(open, 10_000 + silentMs)).toMatchObject({
    tone: 'late',
    title: 'No response',
    text: 'The host has not responded for 5 s. The picture is 5 s old.',
  });
});

test('a window that is not drawn, a lost connection and an ended session are never live, and say the age of the picture', () => {
  const cases: readonly (readonly [Partial<LinkFacts>, RegExp])[] = [
    [{ host: 'minimized' }, /minimised.*0 s old/],
    [{ host: 'gone' }, /closed its window/],
    [{ host: 'waiting' }, /first picture/],
    [{ pictureAt: undefined }, /first picture for 10 s/],
    [{ phase: 'lost', since: 8_000 }, /No connection for 2 s, trying again. The picture is 0 s old/],
    [{ phase: 'connecting', since: 8_000, pictureAt: undefined }, /Connecting for 2 s/],
    [{ phase: 'over', reason: 'The host ended the session.' }, /The host ended/],
  ];
  for (const [facts, text] of cases) {
    const status = statusOf({ ...open, ...facts }, 10_000);
    expect(status.tone).not.toBe('live');
    expect(status.text).toMatch(text);
  }
});

test('tries come at once and then further apart, never further than five seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((failures) => waitBeforeTry(failures, () => 1))).toEqual([0, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
});

test('the clock of the host is that of the answer, half a way later', () => {
  expect(clockOffset(1_000, 1_200, 5_100)).toBe(4_000);
});
