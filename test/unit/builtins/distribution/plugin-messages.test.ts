// Tests the channel between the server and an isolated plugin: values arrive unchanged, and hostile bytes are refused before they become values.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openChannel } from '../../../../builtins/distribution/plugin-host/message-channel.ts';
import { decode, encode, mostOf, parseMessage } from '../../../../builtins/distribution/plugin-host/rpc-codec.ts';

const holder = { hold: () => 'f1', holdSignal: () => 's1' };
const finder = { stubOf: (id: string) => () => id, signalOf: () => new AbortController() };
const sent = (value: unknown): any => decode(parseMessage(JSON.stringify(encode(value, holder))), finder);

test('values arrive unchanged', () => {
  const value = {
    list: [undefined, null, -1.5, Infinity, 'a"\\\ud800,[{', true],
    when: [new Date(0), new Date(NaN)],
    bytes: new Uint8Array([0, 255]),
    buffer: new Uint8Array([0, 255]).buffer,
    map: new Map([['a', new Set([1])]]),
    at: new URL('https://example.org/x'),
  };
  expect(sent(value)).toEqual(value);
  expect(sent(JSON.parse('{"__proto__":{"a":1}}'))).not.toHaveProperty('a');
  expect(sent(Object.assign(new TypeError('no', { cause: 1 }), { code: 'X' }))).toMatchObject({ name: 'TypeError', message: 'no', code: 'X', cause: 1 });
  expect(sent(Object.assign(new Error('no'), { stack: 1, message: {} })).message).toBe('[object Object]');
  expect(sent(() => 1)()).toBe('f1');
});

test('omits objects that would give access to the server, and objects inside themselves', () => {
  const round: Record<string, unknown> = { socket: new PassThrough(), pattern: /a/ };
  round['self'] = round;
  expect(sent(round)).toEqual({ socket: undefined, pattern: undefined, self: undefined });
  expect(() => encode([Symbol('x')], holder)).toThrow('a symbol');
});

test.each([
  ['values', `[${'{},'.repeat(mostOf.values)}1]`, 'more than 200000 values'],
  ['levels', '['.repeat(mostOf.depth + 1), 'more than 100 levels'],
])('refuses a message with too many %s', (_, text, why) => {
  expect(() => parseMessage(text)).toThrow(why);
});

test('characters inside strings do not count as values', () => {
  const text = '"[{,\\'.repeat(mostOf.values);
  expect(parseMessage(JSON.stringify([text]))).toEqual([text]);
});

/** Returns what a channel received and reported for these chunks. */
function received(...chunks: Buffer[]): string[] {
  const stream = new PassThrough();
  const messages: string[] = [];
  openChannel(
    stream,
    100,
    (text) => messages.push(text),
    (why) => messages.push(why),
  );
  for (const chunk of chunks) stream.emit('data', chunk);
  return messages;
}
const framed = (text: string, length = text.length): Buffer => Buffer.from(`${String.fromCharCode(0, 0, 0, length)}${text}`, 'latin1');

test('receives messages regardless of how the stream splits them', () => {
  const all = Buffer.concat([framed('one'), framed('two')]);
  expect(received(all)).toEqual(['one', 'two']);
  expect(received(...[...all].map((byte) => Buffer.from([byte])))).toEqual(['one', 'two']);
});

test('refuses the length of a message before its text arrives', () => {
  expect(received(framed('', 0))).toEqual(['it sent a message of 0 bytes']);
  expect(received(framed('x', 101))).toEqual(['it sent a message of 101 bytes']);
});
