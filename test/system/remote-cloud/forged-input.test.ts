// Tests inputs of a viewer modified or invented by a relay: the window receives the viewer’s inputs in order and once, or none.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealedNumber } from '../../../plugins/lib/sealed-link.ts';
import { saidBy, startLoneSeat } from './seat.ts';

const count = 8;
/** An action of a relay: forward the next message, or anything else. */
const doing = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('due' as const) }) },
  fc.record({
    what: fc.constantFrom('again' as const, 'later' as const, 'otherGuest' as const, 'otherSession' as const, 'otherRole' as const, 'otherSecret' as const),
    at: fc.nat(count),
  }),
  fc.record({
    what: fc.constantFrom('changed' as const, 'cut' as const, 'renumbered' as const),
    at: fc.nat(count),
    place: fc.nat(),
    by: fc.integer({ min: 1, max: 255 }),
  }),
  fc.record({ what: fc.constant('noise' as const), bytes: fc.uint8Array({ maxLength: 200 }), number: fc.nat(count + 2) }),
);

test('accepts no forged, replayed, reordered, truncated or foreign input', () => {
  let tried = 0;
  fc.assert(
    fc.property(fc.array(doing, { minLength: 10, maxLength: 30 }), (doings) => {
      const seat = startLoneSeat();
      const own = saidBy(seat.secret, seat.place, count);
      const others = {
        otherGuest: saidBy(seat.secret, { ...seat.place, guest: 'x'.repeat(22) }, count),
        otherSession: saidBy(seat.secret, { ...seat.place, session: 'relay_2' }, count),
        otherRole: saidBy(seat.secret, { ...seat.place, role: 'view' }, count),
        otherSecret: saidBy(new Uint8Array(randomBytes(32)), seat.place, count),
      };
      try {
        for (const one of doings) {
          const due = own.messages[seat.known.taken];
          if (one.what === 'due') {
            if (due) seat.take(seat.known.taken + 1, due);
            continue;
          }
          tried++;
          if (one.what === 'noise') seat.take(one.number, one.bytes);
          else if (one.what === 'again' || one.what === 'later') {
            // Under its own number, and under the next expected number.
            const message = own.messages[one.at]!;
            const isNext = one.at === seat.known.taken;
            if (one.what === 'again' || !isNext) seat.take(one.what === 'again' ? one.at + 1 : seat.known.taken + 1, message);
          } else if (one.what === 'changed' || one.what === 'cut' || one.what === 'renumbered') {
            const message = Uint8Array.from(own.messages[one.at]!);
            if (one.what === 'renumbered') new DataView(message.buffer).setBigUint64(1, BigInt(seat.known.taken + 1));
            if (one.what === 'changed') message[one.place % message.length]! ^= one.by;
            const isUnchanged = one.what === 'renumbered' && one.at === seat.known.taken;
            if (!isUnchanged) seat.take(seat.known.taken + 1, one.what === 'cut' ? message.subarray(0, one.place % message.length) : message);
          } else seat.take(seat.known.taken + 1, others[one.what].messages[seat.known.taken] ?? others[one.what].messages[one.at]!);
        }
        expect(seat.heard).toEqual(own.texts.slice(0, seat.heard.length));
        expect(seat.heard.length).toBe(Math.max(0, seat.known.taken - 1));
      } finally {
        seat.dispose();
      }
    }),
    { numRuns: 300 },
  );
  expect(tried).toBeGreaterThan(1_000);
});

test('ends the relay session on the first invalid input', () => {
  const seat = startLoneSeat();
  const { messages, texts } = saidBy(seat.secret, seat.place, 3);
  seat.take(1, messages[0]!);
  seat.take(2, messages[1]!);
  expect(seat.heard).toEqual(texts.slice(0, 1));
  seat.take(3, messages[3]!);
  expect(seat.isOver()).toBe(true);
  seat.take(3, messages[2]!);
  expect(seat.heard).toEqual(texts.slice(0, 1));
});

test('posts each packet under a unique number', async () => {
  const seat = startLoneSeat();
  const { messages } = saidBy(seat.secret, seat.place, 1);
  seat.take(1, messages[0]!);
  seat.tell({ address: '127.0.0.1', has: 0, isWaiting: true, quietMs: 0 });
  await expect.poll(() => seat.posted.length).toBeGreaterThanOrEqual(0);
  expect(new Set(seat.posted.map((packet) => sealedNumber(packet))).size).toBe(seat.posted.length);
  seat.dispose();
});
