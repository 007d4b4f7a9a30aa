// Tests both ends of a sealed tunnel against a hostile relay: messages arrive in order and once, or the tunnel ends.
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createTunnelKeys,
  kinds,
  decodeFrame,
  decodeList,
  encodeFrame,
  encodeGoodbye,
  encodeGreeting,
  encodeList,
} from '../../../../plugins/lib/tunnel-codec.ts';
import { sealedNumber } from '../../../../plugins/lib/sealed-link.ts';
import { guestMessages, hostPackets, newPlace, newSecret, startGuest, startHost, text, type RecordingGuest, type RecordingHost } from './tunnel-ends.ts';

const count = 8;
/** An action of a relay: forward the next message, or anything else. */
const doing = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('due' as const) }) },
  fc.record({
    what: fc.constantFrom(...(['again', 'later', 'otherGuest', 'otherEpoch', 'otherRole', 'otherSecret', 'reflected'] as const)),
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

function hostFor(...given: Parameters<typeof startHost>): RecordingHost {
  const one = startHost(...given);
  onTestFinished(() => one.host.dispose());
  return one;
}
function guestFor(...given: Parameters<typeof startGuest>): RecordingGuest {
  const one = startGuest(...given);
  onTestFinished(() => one.tunnel.close());
  return one;
}

test('the host accepts no forged, replayed, reordered, truncated, reflected or foreign message', () => {
  let tried = 0;
  fc.assert(
    fc.property(fc.array(doing, { minLength: 10, maxLength: 30 }), (doings) => {
      const { host, secret, place, received, posted } = startHost();
      const own = guestMessages(secret, place, count);
      const others = {
        otherGuest: guestMessages(secret, { ...place, guest: 'x'.repeat(22) }, count).messages,
        otherEpoch: guestMessages(secret, { ...place, epoch: place.epoch.map((byte) => byte ^ 1) }, count).messages,
        otherRole: guestMessages(secret, { ...place, role: 'view' }, count).messages,
        otherSecret: guestMessages(newSecret(), place, count).messages,
        reflected: posted.map((packet) => packet.slice(16)),
      };
      const next = (): number => host.known.taken + 1;
      try {
        for (const one of doings) {
          const due = own.messages[host.known.taken];
          if (one.what === 'due') {
            if (due) host.take(next(), due);
            continue;
          }
          tried++;
          if (one.what === 'noise') host.take(one.number, one.bytes);
          else if (one.what === 'again' || one.what === 'later') {
            // Under its own number, and under the next expected number.
            const isNext = one.at === host.known.taken;
            if (one.what === 'again' || !isNext) host.take(one.what === 'again' ? one.at + 1 : next(), own.messages[one.at]!);
          } else if (one.what === 'changed' || one.what === 'cut' || one.what === 'renumbered') {
            const message = Uint8Array.from(own.messages[one.at]!);
            if (one.what === 'renumbered') new DataView(message.buffer).setBigUint64(1, BigInt(next()));
            if (one.what === 'changed') message[one.place % message.length]! ^= one.by;
            const isUnchanged = one.what === 'renumbered' && one.at === host.known.taken;
            if (!isUnchanged) host.take(next(), one.what === 'cut' ? message.subarray(0, one.place % message.length) : message);
          } else host.take(next(), others[one.what][host.known.taken] ?? others[one.what][0]!);
        }
        expect(received).toEqual(own.texts.slice(0, received.length));
        expect(received.length).toBe(Math.max(0, host.known.taken - 1));
      } finally {
        host.dispose();
      }
    }),
    { numRuns: 300 },
  );
  expect(tried).toBeGreaterThan(1_000);
});

test('the host ends the tunnel on the first invalid message, and on a first message that is no greeting', () => {
  const { host, secret, place, received, isOver } = hostFor();
  const { messages, texts } = guestMessages(secret, place, 3);
  host.take(1, messages[0]!);
  host.take(2, messages[1]!);
  host.take(3, messages[3]!);
  host.take(3, messages[2]!);
  expect([received, isOver()]).toEqual([texts.slice(0, 1), true]);
  const other = hostFor();
  other.host.take(1, createTunnelKeys('guest', other.secret, other.place).sealer.seal(text('no greeting')));
  expect([other.received, other.isOver()]).toEqual([[], true]);
});

test('the host posts each packet under a unique number, also for the same content', async () => {
  const { host, secret, place, posted, line } = hostFor();
  host.take(1, guestMessages(secret, place, 1).messages[0]!);
  for (const sent of [2, 3, 4]) {
    line()?.send(text('same'));
    await expect.poll(() => posted.length).toBeGreaterThanOrEqual(sent);
  }
  const numbers = posted.map((packet) => sealedNumber(packet.subarray(16)));
  expect(numbers).toEqual(posted.map((_, at) => at + 1));
});

test('the host releases a guest that receives nothing before the unreceived messages fill the memory', () => {
  const { host, secret, place, line, isOver } = hostFor(newSecret(), false);
  host.take(1, guestMessages(secret, place, 1).messages[0]!);
  let bytes = 0;
  for (; !isOver() && bytes < 64 * 1024 * 1024; bytes += 100_000) line()?.send(new Uint8Array(100_000));
  expect([isOver(), bytes]).toEqual([true, 4_200_000]);
});

const greeting = encodeGreeting({ version: '1' });
const batchesOf = (...batches: readonly (readonly [first: number, ...texts: string[]])[]) =>
  batches.map(([first, ...texts]) => ({ first, messages: texts.map((one) => (one === 'greeting' ? greeting : text(one))) }));

test('the guest handles each message once, although packets overlap and repeat them', async () => {
  const [secret, place] = [newSecret(), newPlace()];
  const guest = guestFor(secret, place);
  for (const packet of hostPackets(secret, place, batchesOf([1], [1, 'greeting', 'a'], [1, 'greeting', 'a', 'b'], [3, 'b', 'c'], [5], [5, 'd'])))
    await guest.deliver(packet);
  expect([guest.greeted, guest.received, guest.end]).toEqual([[{ version: '1' }], ['a', 'b', 'c', 'd'], undefined]);
  expect(guest.states.at(-1)).toBe('open');
  const [first] = decodeList(guest.sent[0]!)!;
  const { opener } = createTunnelKeys('host', secret, place);
  expect(decodeFrame(opener.open(first!)!)?.kind).toBe(kinds.greeting);
});

test.each([
  ['changed', (packets: readonly Buffer[]) => Buffer.from(packets[2]!.map((byte, at) => (at === 40 ? byte ^ 1 : byte)))],
  ['truncated', (packets: readonly Buffer[]) => packets[2]!.subarray(0, -1)],
  ['empty', () => Buffer.alloc(0)],
  ['replayed', (packets: readonly Buffer[]) => packets[1]!],
  ['of another epoch', (packets: readonly Buffer[]) => Buffer.concat([Buffer.alloc(16, 7), packets[2]!.subarray(16)])],
  ['with a gap', (packets: readonly Buffer[]) => packets[3]!],
  ['reflected', (_: readonly Buffer[], sent: Uint8Array) => Buffer.concat([new Uint8Array(16), sent])],
] as const)('the guest ends the tunnel on a packet that is %s', async (_, doings) => {
  const [secret, place] = [newSecret(), newPlace()];
  const guest = guestFor(secret, place);
  const packets = hostPackets(secret, place, batchesOf([1, 'greeting'], [2, 'a'], [3, 'b'], [5, 'd']));
  await guest.deliver(packets[0]!);
  await guest.deliver(packets[1]!);
  await guest.deliver(doings(packets, decodeList(guest.sent[0]!)![0]!));
  expect([guest.received, guest.end]).toEqual([['a'], 'broken']);
});

test('both ends name another version of the other end, and the guest learns which one is older', async () => {
  const [secret, place] = [newSecret(), newPlace()];
  for (const [message, end] of [
    [encodeGreeting({ v: 2 }), 'old-page'],
    [encodeGreeting({ v: 0 }), 'old-host'],
    [encodeFrame(kinds.goodbye, 0, { why: 'version', v: 2 }), 'old-page'],
    // A host of version 0.2 sends no version in its goodbye.
    [encodeFrame(kinds.goodbye, 0, { why: 'version' }), 'old-host'],
    [encodeGoodbye('revoked'), 'revoked'],
  ] as const) {
    const guest = guestFor(secret, place);
    const [packet] = hostPackets(secret, place, [{ first: 1, messages: [message] }]);
    await guest.deliver(packet!);
    expect([guest.greeted, guest.end]).toEqual([[], end]);
  }
  const { host, posted, line, ...tunnel } = hostFor();
  const { sealer } = createTunnelKeys('guest', tunnel.secret, tunnel.place);
  host.take(1, sealer.seal(encodeGreeting({ v: 2 })));
  await expect.poll(() => posted.length).toBe(2);
  const guest = guestFor(tunnel.secret, tunnel.place);
  await guest.deliver(Buffer.from(posted[1]!));
  // The host still sends its version 1 to the newer page.
  expect([line(), guest.end]).toEqual([undefined, 'old-host']);
});

test('the guest ends the tunnel to a connected host that sends no first packet', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const guest = guestFor(newSecret(), newPlace());
  void guest.deliverNothing();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([guest.states.at(-1), guest.end]).toEqual(['away', undefined]);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(guest.end).toBe('silent');
});

test('lists of messages have one encoding and are rejected with an invalid length', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), fc.nat(8), fc.nat(), (messages, headBytes, cut) => {
      const bytes = encodeList(messages, headBytes);
      expect(decodeList(bytes, headBytes)).toEqual(messages);
      const ends = messages.map((_, at) => encodeList(messages.slice(0, at), headBytes).length);
      const shorter = headBytes + (cut % (bytes.length - headBytes + 1));
      if (shorter < bytes.length && !ends.includes(shorter)) expect(decodeList(bytes.subarray(0, shorter), headBytes)).toBeUndefined();
    }),
  );
});

/** Messages of version 0.2 with this secret and place; the host's packets are a first one and its greeting. */
const recorded = {
  secret: Uint8Array.from({ length: 32 }, (_, at) => at + 1),
  place: { role: 'page', guest: 'recordedGuestOf0dot2_A', epoch: Uint8Array.from({ length: 16 }, (_, at) => 200 + at) },
  packets: [
    'c8c9cacbcccdcecfd0d1d2d3d4d5d6d701000000000000000145a3921743750dac3c03c762069aab36b65f230aa21efaa9',
    'c8c9cacbcccdcecfd0d1d2d3d4d5d6d701000000000000000224ae3359054beb2f7acadf8d5eeb947d850001e743574aad999c7cca31fe8820870db14f98a598677173975428e0e2f53bacde36ed47fa9dad4b',
  ],
  message: '0100000000000000016974c55c8ec435dd766fdee1c3523aa145bfd1a83a08e46c1ec0d271d1dfa866fdda7e5308e782dc52e6de9a69bcef86419cc2',
};

test('a page of this version understands a host of version 0.2, and the keys of its messages are the same', async () => {
  const guest = guestFor(recorded.secret, recorded.place);
  for (const packet of recorded.packets) await guest.deliver(Buffer.from(packet, 'hex'));
  expect([guest.greeted, guest.end]).toEqual([[{ version: '0.2.0' }], undefined]);
  const { opener } = createTunnelKeys('host', recorded.secret, recorded.place);
  expect(new TextDecoder().decode(opener.open(Buffer.from(recorded.message, 'hex'))?.subarray(5))).toBe('{"v":1,"token":"device-token"}');
});
