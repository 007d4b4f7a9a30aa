// Tests the connection status of the remote viewer page: an outdated picture is never labelled live.
import { expect, test } from 'vitest';
import { clockOffset, silentMs, statusOf, waitBeforeTry, type LinkFacts } from '../../../../builtins/desktop/remote/guest/link-state.ts';

const open: LinkFacts = { phase: 'open', since: 0, heardAt: 10_000, pictureAt: 9_900, host: 'shown' };

test('is live only within five seconds of the last answer', () => {
  expect(silentMs).toBeLessThan(5_000);
  expect(statusOf(open, 10_500)).toMatchObject({ tone: 'live', text: 'Live.' });
  expect(statusOf({ ...open, heardAt: 60_000 }, 61_000)).toMatchObject({ tone: 'live', text: 'Live; no change for 51 s.' });
  expect(statusOf(open, 10_000 + silentMs)).toMatchObject({
    tone: 'late',
    title: 'No response',
    text: 'The host has not responded for 5 s. The picture is 5 s old.',
  });
});

test('is not live for a hidden window, a lost connection or an ended session, and gives the picture age', () => {
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

test('retries immediately, then with increasing delays of at most five seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((failures) => waitBeforeTry(failures, () => 1))).toEqual([0, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
});

test('computes the host clock offset from the answer and half the round trip', () => {
  expect(clockOffset(1_000, 1_200, 5_100)).toBe(4_000);
});
