// Tests inputs of a viewer modified or invented by a relay: the window receives the viewer’s inputs in order and once, or none.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealedNumber } from '../../../plugins/lib/sealed-link.ts';
import { sealedMessagesOf, startRelayGuest } from './relay-guest.ts';

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
      const guest = startRelayGuest();
      const own = sealedMessagesOf(guest.secret, guest.place, count);
      const others = {
        otherGuest: sealedMessagesOf(guest.secret, { ...guest.place, guest: 'x'.repeat(22) }, count),
        otherSession: sealedMessagesOf(guest.secret, { ...guest.place, session: 'relay_2' }, count),
        otherRole: sealedMessagesOf(guest.secret, { ...guest.place, role: 'view' }, count),
        otherSecret: sealedMessagesOf(new Uint8Array(randomBytes(32)), guest.place, count),
      };
      try {
        for (const one of doings) {
          const due = own.messages[guest.known.taken];
          if (one.what === 'due') {
            if (due) guest.take(guest.known.taken + 1, due);
            continue;
          }
          tried++;
          if (one.what === 'noise') guest.take(one.number, one.bytes);
          else if (one.what === 'again' || one.what === 'later') {
            // Under its own number, and under the next expected number.
            const message = own.messages[one.at]!;
            const isNext = one.at === guest.known.taken;
            if (one.what === 'again' || !isNext) guest.take(one.what === 'again' ? one.at + 1 : guest.known.taken + 1, message);
          } else if (one.what === 'changed' || one.what === 'cut' || one.what === 'renumbered') {
            const message = Uint8Array.from(own.messages[one.at]!);
            if (one.what === 'renumbered') new DataView(message.buffer).setBigUint64(1, BigInt(guest.known.taken + 1));
            if (one.what === 'changed') message[one.place % message.length]! ^= one.by;
            const isUnchanged = one.what === 'renumbered' && one.at === guest.known.taken;
            if (!isUnchanged) guest.take(guest.known.taken + 1, one.what === 'cut' ? message.subarray(0, one.place % message.length) : message);
          } else guest.take(guest.known.taken + 1, others[one.what].messages[guest.known.taken] ?? others[one.what].messages[one.at]!);
        }
        expect(guest.received).toEqual(own.texts.slice(0, guest.received.length));
        expect(guest.received.length).toBe(Math.max(0, guest.known.taken - 1));
      } finally {
        guest.dispose();
      }
    }),
    { numRuns: 300 },
  );
  expect(tried).toBeGreaterThan(1_000);
});

test('ends the relay session on the first invalid input', () => {
  const guest = startRelayGuest();
  const { messages, texts } = sealedMessagesOf(guest.secret, guest.place, 3);
  guest.take(1, messages[0]!);
  guest.take(2, messages[1]!);
  expect(guest.received).toEqual(texts.slice(0, 1));
  guest.take(3, messages[3]!);
  expect(guest.isOver()).toBe(true);
  guest.take(3, messages[2]!);
  expect(guest.received).toEqual(texts.slice(0, 1));
});

test('posts each packet under a unique number', async () => {
  const guest = startRelayGuest();
  const { messages } = sealedMessagesOf(guest.secret, guest.place, 1);
  guest.take(1, messages[0]!);
  for (const count of [1, 2, 3]) {
    guest.send('{"type":"state"}');
    await expect.poll(() => guest.posted.length).toBe(count);
  }
  expect(guest.posted.map((packet) => sealedNumber(packet))).toEqual([1, 2, 3]);
  guest.dispose();
});
