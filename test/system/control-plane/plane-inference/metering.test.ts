// Tests the stream scanner, cost calculation, request rewriting and credit queue of the proxy, without a network.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyFor, limitFor, offerFor, readChatRequest, type ChatRequest } from '../../../../builtins/control-plane/plane-inference/chat-request.ts';
import { createCreditQueue } from '../../../../builtins/control-plane/plane-inference/credit-queue.ts';
import { createEventScanner, deliveredTokens } from '../../../../builtins/control-plane/plane-inference/event-scanner.ts';
import type { Reserved } from '../../../../builtins/control-plane/plane-inference/ledger.ts';
import { affordableOutput, costInMicro, tokenCost } from '../../../../builtins/control-plane/plane-inference/price.ts';
import { runs } from '../../../helpers/dice.ts';

const delta = (content: string): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }], usage: null })}\n\n`;
const usageEvent = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } } })}\n\n`;
const stream = (texts: readonly string[], between = ''): string => `${texts.map((one) => delta(one) + between).join('')}${usageEvent}data: [DONE]\n\n`;
const pieces = (text: string, cuts: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text);
  const at = [...new Set(cuts.map((one) => one % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length)).filter((one) => one.length > 0);
};

test('passes a stream on unchanged except for hidden usage, and reads the usage, however the bytes are split', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 });
  fc.assert(
    fc.property(texts, fc.array(fc.nat(2_000), { maxLength: 12 }), fc.boolean(), fc.constantFrom('', ': still here\n\n'), (said, cuts, hides, between) => {
      const whole = stream(said, between);
      const scanner = createEventScanner(hides);
      const out = pieces(whole, cuts).flatMap((one) => [...scanner.take(one)]);
      out.push(...scanner.end());
      expect(Buffer.concat(out).toString()).toBe(hides ? whole.replace(usageEvent, '') : whole);
      expect(scanner.usage()).toEqual({ input: 9, output: 4, cached: 2 });
      expect(scanner.isDone()).toBe(true);
    }),
    runs(200),
  );
});

test('passes a chunk of whole events on as the same buffer and an unfinished event at the end', () => {
  const scanner = createEventScanner(true);
  const chunk = Buffer.from(delta('a') + delta('b'));
  expect(scanner.take(chunk)[0]).toBe(chunk);
  const half = Buffer.from('data: {"cho');
  expect(scanner.take(half)).toEqual([]);
  expect(scanner.end()).toEqual([half]);
  const long = Buffer.from(`data: ${'x'.repeat(300_000)}`);
  expect(scanner.take(long)[0]).toBe(long);
});

test('accepts CRLF line ends, detects an error event and counts delivered tokens', () => {
  const scanner = createEventScanner(true);
  scanner.take(Buffer.from(usageEvent.replaceAll('\n', '\r\n')));
  expect(scanner.usage()).toMatchObject({ input: 9 });
  scanner.take(Buffer.from('data: {"error":{"message":"overloaded"}}\n\n'));
  expect(scanner.hasFault()).toBe(true);
  expect(deliveredTokens([Buffer.from(delta('abcdefgh') + delta('') + delta('i'))])).toBe(3);
});

const price = { inputPerMillion: 3, outputPerMillion: 15, cachedPerMillion: 0.3 };

test('computes exact amounts and rounds up once per call', () => {
  expect(tokenCost(price, { input: 1, cached: 1, output: 0 })).toBe(1);
  expect(tokenCost({ inputPerMillion: 0.1, outputPerMillion: 0.2 }, { input: 3, cached: 0, output: 1 })).toBe(1);
  expect(tokenCost({ inputPerMillion: 0.1, outputPerMillion: 0.2 }, { input: 10, cached: 0, output: 5 })).toBe(2);
  expect(tokenCost(price, { input: 0, cached: 0, output: 0 })).toBe(0);
  expect([0.000123, 0.1 + 0.2, 0, 1e-7, 1].map(costInMicro)).toEqual([123, 300_000, 0, 1, 1_000_000]);
});

test('allows as much output as the granted amount pays for, and no more', () => {
  const money = fc.integer({ min: 0, max: 100_000_000 }).map((one) => one / 1_000_000);
  fc.assert(
    fc.property(money, money, fc.nat(100_000), fc.nat(10_000_000), (inputPerMillion, outputPerMillion, input, more) => {
      const one = { inputPerMillion, outputPerMillion };
      const inputMicro = tokenCost(one, { input, cached: 0, output: 0 });
      const output = affordableOutput(one, inputMicro, inputMicro + more);
      if (output === Number.MAX_SAFE_INTEGER) return;
      expect(tokenCost(one, { input, cached: 0, output })).toBeLessThanOrEqual(inputMicro + more);
      expect(tokenCost(one, { input, cached: 0, output: output + 2 })).toBeGreaterThan(inputMicro + more - 1);
    }),
    runs(300),
  );
});

const requestOf = (body: object): ChatRequest => readChatRequest(Buffer.from(JSON.stringify(body))) as ChatRequest;
const messages = [{ role: 'user', content: 'x'.repeat(300) }];

test('offers between 256 tokens and the whole answer, and limits the answer to the granted amount', () => {
  const request = requestOf({ model: 'm', messages, max_tokens: 1_000 });
  const offer = offerFor(request, price, 8_192);
  expect(offer.minimumMicro - offer.inputMicro).toBe(256 * 15);
  expect(offer.wantedMicro - offer.inputMicro).toBe(1_000 * 15);
  expect(limitFor(request, price, offer, offer.wantedMicro, 8_192)).toEqual({ maxTokens: 1_000, isShrunk: false });
  expect(limitFor(request, price, offer, offer.minimumMicro, 8_192)).toEqual({ maxTokens: 256, isShrunk: true });
  const few = offerFor(requestOf({ model: 'm', messages, max_tokens: 7 }), price, 8_192);
  expect([few.minimumMicro, few.wantedMicro]).toEqual([few.inputMicro + 7 * 15, few.inputMicro + 7 * 15]);
});

test('appends fields to a request verbatim and rewrites it only if an existing field changes', () => {
  const text = '{ "model":"m", "messages":[{"role":"user","content":"\\u00e9"}], "seed": 12345678901234567890, "stream":true }';
  const request = readChatRequest(Buffer.from(text)) as ChatRequest;
  const body = bodyFor(request, 100).toString();
  expect(body.startsWith(text.slice(0, -1))).toBe(true);
  expect(JSON.parse(body)).toMatchObject({ max_tokens: 100, stream_options: { include_usage: true } });
  const full = requestOf({ model: 'm', messages, max_completion_tokens: 9, stream: true, stream_options: { include_usage: true } });
  expect(bodyFor(full, 9)).toBe(full.bytes);
  expect(JSON.parse(bodyFor(full, 5).toString())).toMatchObject({ max_completion_tokens: 5 });
  expect(JSON.parse(bodyFor(full, 5).toString())).not.toHaveProperty('max_tokens');
  for (const [few, many] of [
    [1, 100_000],
    [100_000, 1],
    [7, 7],
  ] as const) {
    const both = requestOf({ model: 'm', messages, max_tokens: few, max_completion_tokens: many });
    expect(both.maxTokens).toBe(Math.max(few, many));
    for (const granted of [both.maxTokens!, 3]) {
      const { max_tokens: old, max_completion_tokens: sent } = JSON.parse(bodyFor(both, granted).toString());
      expect([old, sent]).toEqual([undefined, granted]);
    }
  }
  const none = requestOf({ model: 'm', messages, max_tokens: null, max_completion_tokens: null });
  expect(JSON.parse(bodyFor(none, 9).toString())).toEqual({ model: 'm', messages, max_tokens: 9 });
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(400_000)}` } };
  expect(requestOf({ model: 'm', messages: [{ role: 'user', content: [picture] }] }).inputTokens).toBeLessThan(2_000);
});

test('queues a call while other calls hold the remaining credit, and rejects it once they have spent it', async () => {
  let used = 0;
  let held = 0;
  const cap = 10;
  const queue = createCreditQueue({ waitMs: () => 60_000, pollMs: 60_000 });
  const attempt = async (): Promise<Reserved> => {
    const answer = { whose: 'organisation' as const, capMicro: cap, usedMicro: used };
    if (cap - used - held < 4) return { ...answer, heldMicro: held };
    held += 4;
    return { ...answer, heldMicro: held, grantedMicro: 4 };
  };
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const calls = Array.from({ length: 5 }, (_, index) => queue.reserve('org', 4, attempt, index === 2 ? leaving.signal : signal));
  const [first, second] = await Promise.all([calls[0], calls[1]]);
  expect([first?.grantedMicro, second?.grantedMicro]).toEqual([4, 4]);
  expect(queue.waiting()).toBe(3);
  leaving.abort(new Error('gone'));
  await expect(calls[2]).rejects.toThrow('gone');
  held -= 4;
  used += 1;
  queue.freed('org');
  expect((await calls[3])?.grantedMicro).toBe(4);
  held -= 8;
  used += 8;
  queue.freed('org');
  expect(await calls[4]).not.toHaveProperty('grantedMicro');
  expect(queue.waiting()).toBe(0);
});

test('does not queue a call aborted during its credit check', async () => {
  const queue = createCreditQueue({ waitMs: () => 60_000, pollMs: 60_000 });
  const leaving = new AbortController();
  const call = queue.reserve('org', 4, async () => ({ whose: 'organisation', capMicro: 10, usedMicro: 0, heldMicro: 10 }), leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(call).rejects.toThrow('gone');
  expect(queue.waiting()).toBe(0);
});
