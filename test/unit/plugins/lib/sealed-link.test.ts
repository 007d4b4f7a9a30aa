// Tests sealed messages: only the other end opens them, once and in order, despite tampering.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveBytes, linkOpener, linkSealer, sealedExtraBytes, sealedNumber, secretIn, secretText } from '../../../../plugins/lib/sealed-link.ts';
import { spokenCheck } from '../../../../plugins/lib/spoken-check.ts';

const secret = new Uint8Array(randomBytes(32));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (content: Uint8Array | undefined): string | undefined => content && new TextDecoder().decode(content);

test('messages arrive as sealed, numbered from 1, and reveal only their length', () => {
  const [sealer, opener] = [linkSealer(secret, ['a']), linkOpener(secret, ['a'])];
  for (const text of ['one', '', 'x'.repeat(100_000)]) {
    const message = sealer.seal(bytes(text));
    expect([sealedNumber(message), message.length]).toEqual([sealer.count, text.length + sealedExtraBytes]);
    expect(textOf(opener.open(message))).toBe(text);
  }
  expect([sealer.count, opener.count]).toEqual([3, 3]);
});

test('rejects messages of another secret or context, and changed, truncated or joined ones', () => {
  const contexts = [
    ['frames', 's', 'view', 'g'],
    ['inputs', 's', 'view', 'g'],
    ['frames', 't', 'view', 'g'],
    ['frames', 's', 'control', 'g'],
    ['frames', 's', 'view', 'h'],
    ['frame', 'ss', 'view', 'g'],
    ['frames', 's', 'viewg'],
  ];
  fc.assert(
    fc.property(
      fc.nat(contexts.length - 1),
      fc.boolean(),
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (other, isForeign, content, place, flip) => {
        const opener = linkOpener(secret, contexts[0]!);
        const wrong = linkSealer(isForeign ? new Uint8Array(randomBytes(32)) : secret, contexts[other]!).seal(content);
        if (isForeign || other !== 0) expect(opener.open(wrong)).toBeUndefined();
        const right = linkSealer(secret, contexts[0]!).seal(content);
        const changed = Uint8Array.from(right);
        changed[place % right.length]! ^= flip;
        for (const message of [changed, right.subarray(0, place % right.length), Uint8Array.from([...right, flip]), content])
          expect(opener.open(message)).toBeUndefined();
        expect(opener.count).toBe(0);
        expect(opener.open(right)).toEqual(content);
        expect(opener.open(right)).toBeUndefined();
      },
    ),
  );
});

test('each message is accepted once and never after a newer one, or only as the next one in gapless mode', () => {
  const count = 12;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: count }), { maxLength: 60 }), fc.boolean(), (order, isGapless) => {
      const sealer = linkSealer(secret, ['order']);
      const messages = Array.from({ length: count }, (_, at) => sealer.seal(bytes(String(at + 1))));
      const opener = linkOpener(secret, ['order'], { isGapless });
      const taken = order.flatMap((number) => textOf(opener.open(messages[number - 1]!)) ?? []).map(Number);
      expect(taken).toEqual([...new Set(taken)].sort((one, next) => one - next));
      if (isGapless) expect(taken).toEqual(taken.map((_, at) => at + 1));
    }),
  );
});

test('a secret has one text form, and derived bytes and words match only for the same secret', () => {
  const text = secretText(secret);
  expect(text).toMatch(/^[\w-]{43}$/);
  expect(secretIn(text)).toEqual(secret);
  for (const other of ['', text.slice(1), `${text}A`, text.replace(/.$/, '.'), ' '.repeat(43)]) expect(secretIn(other)).toBeUndefined();
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('').filter((sign) => secretIn(text.slice(0, -1) + sign));
  expect(last.length).toBe(16);
  const all = Array.from({ length: 500 }, (_, at) => spokenCheck(secret, [String(at)]));
  expect(new Set(all).size).toBe(500);
  expect(new Set(all.flatMap((words) => words.split(' '))).size).toBeGreaterThan(240);
  expect(spokenCheck(secret, ['0'])).toBe(all[0]);
  expect(deriveBytes(secret, ['a', 'b'])).not.toEqual(deriveBytes(secret, ['ab']));
  expect(() => deriveBytes(secret.subarray(1), [])).toThrow('32 bytes');
});
