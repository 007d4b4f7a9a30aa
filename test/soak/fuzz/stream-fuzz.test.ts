// Fuzzes model replies that are cut, corrupted or arbitrary data: both wires read the same content or report a fault.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { ModelAdapter, ModelOutcome, ModelRequest, ModelRoute } from 'agent-harness/plugins/models';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdapter as createChatCompletions } from '../../../builtins/models/model-chat-completions/adapter.ts';
import { createAdapter as createMessages } from '../../../builtins/models/model-messages/adapter.ts';
import { createTransport } from '../../../plugins/models/transport.ts';
import { replyEvents, replyJson, type ScriptedWire } from '../../helpers/scripted-wires.ts';
import type { ScriptedReply, ScriptedRequest } from '../../helpers/scripted-model.ts';
import { runs } from '../../helpers/dice.ts';

interface Answer {
  readonly type: string;
  readonly pieces: readonly Uint8Array[];
  readonly isCut?: boolean;
}

let server: Server;
let answer: Answer = { type: 'text/event-stream', pieces: [] };
const transport = createTransport('test');
beforeAll(async () => {
  server = createServer((incoming, response) => {
    incoming.resume();
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': answer.type });
    const { pieces, isCut } = answer;
    const send = (at: number): void => {
      if (at < pieces.length) response.write(pieces[at], () => setImmediate(send, at + 1));
      else if (isCut) response.destroy();
      else response.end();
    };
    send(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  transport.dispose();
  server.closeAllConnections();
  server.close();
});

interface ReadReply {
  readonly outcome: ModelOutcome;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { id: string; name: string; args: string }[];
}

/** Rejects if the reader fails or times out. */
async function read(adapter: ModelAdapter, next: Answer): Promise<ReadReply> {
  answer = next;
  const route = { wire: 'messages', model: 'm', baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` } as ModelRoute;
  const request: ModelRequest = { system: '', messages: [{ role: 'user', text: 'x' }], tools: [], maxTokens: 9, purpose: 'chat' };
  const reply = { text: '', reasoning: '', calls: [] as { id: string; name: string; args: string }[] };
  const unlike: unknown[] = [];
  const text = (value: string): string => (typeof value === 'string' ? value : (unlike.push(value), ''));
  const sink = {
    text: (delta: string) => void (reply.text += text(delta)),
    reasoning: (delta: string) => void (reply.reasoning += text(delta)),
    toolCall: (index: number, id: string, name: string) => void (reply.calls[index] = { id: text(id), name: text(name), args: '' }),
    toolArgs: (index: number, delta: string) => void ((reply.calls[index] as { args: string }).args += text(delta)),
  };
  const outcome = await adapter.stream(request, route, sink, AbortSignal.timeout(10_000));
  expect(unlike, 'what reached the reader and is no text').toEqual([]);
  return { outcome, ...reply };
}

const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('wörld 🙂', '👩‍👩‍👧', '\u2028\n\r\n', 'data: [DONE]', '中文', ' '));
const reply: fc.Arbitrary<ScriptedReply> = fc
  .record(
    {
      text: fc.array(word, { maxLength: 4 }),
      reasoning: fc.array(word, { maxLength: 2 }),
      toolCalls: fc.array(
        fc.record({ id: fc.constantFrom('a', 'b', 'ç'), name: fc.constantFrom('read_file', 'run'), args: fc.dictionary(word, word, { maxKeys: 2 }), fragments: fc.integer({ min: 1, max: 4 }) }), // prettier-ignore
        { maxLength: 2 },
      ),
      usage: fc.constantFrom(false as const, { input: 9, output: 4, cached: 3 }),
    },
    { requiredKeys: [] },
  )
  .map((one) => ({ ...one, ...(one.toolCalls ? { toolCalls: one.toolCalls.map((call, at) => ({ ...call, id: `${call.id}${at}` })) } : {}) }));
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => Math.floor(place * bytes.length)))].sort((left, right) => left - right);
  return [0, ...ends].map((start, at) => bytes.subarray(start, ends[at] ?? bytes.length)).filter((piece) => piece.length > 0);
}

const wires: readonly (readonly [ScriptedWire, ModelAdapter])[] = [
  ['chat-completions', createChatCompletions(transport, () => 'made')],
  ['messages', createMessages(transport, () => 'made')],
];

describe.each(wires)('wire %s', (wire, adapter) => {
  const asked = { index: 0, wire, body: { model: 'm', stream: true, stream_options: { include_usage: true } } } as ScriptedRequest;
  const streamOf = (one: ScriptedReply, end = '\n'): Buffer => {
    const { deltas, tail } = replyEvents(asked, one);
    return Buffer.from((deltas.join('') + tail).replace(/\r?\n/g, end));
  };
  const events = 'text/event-stream; charset=utf-8';

  test('reads the same reply wherever it is split and with any line ending', async () => {
    await fc.assert(
      fc.asyncProperty(reply, lineEnd, cuts, async (one, end, places) => {
        const whole = await read(adapter, { type: events, pieces: [streamOf(one)] });
        expect(whole.outcome).toMatchObject({ ok: true });
        expect(whole).toMatchObject({ text: [one.text ?? []].flat().join(''), reasoning: [one.reasoning ?? []].flat().join('') });
        expect(whole.calls.map(({ args }) => JSON.parse(args || '{}') as unknown)).toEqual((one.toolCalls ?? []).map(({ args }) => args));
        expect(await read(adapter, { type: events, pieces: cutAt(streamOf(one, end), places) })).toEqual(whole);
      }),
      runs(150),
    );
  });

  test('reads the same reply when it is split at every byte', async () => {
    const one: ScriptedReply = { text: ['Hé🙂', 'l\r\nlo'], toolCalls: [{ id: 'ü', name: 'run', args: { 'k🙂': 'ß' }, fragments: 2 }] };
    for (const end of ['\n', '\r\n']) {
      const bytes = streamOf(one, end);
      const whole = await read(adapter, { type: events, pieces: [bytes] });
      expect(await read(adapter, { type: events, pieces: Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)) })).toEqual(whole);
      for (let at = 1; at < bytes.length; at += 3)
        expect(await read(adapter, { type: events, pieces: [bytes.subarray(0, at), bytes.subarray(at)] })).toEqual(whole);
    }
  });

  test('ends with an outcome for a corrupted reply or garbage', async () => {
    const garbage = fc.oneof(fc.uint8Array({ maxLength: 40 }), word.map((text) => Buffer.from(text)), fc.json({ maxDepth: 3 }).map((text) => Buffer.from(`data: ${text}\n\n`))); // prettier-ignore
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const type = fc.oneof({ weight: 6, arbitrary: fc.constant(events) }, { weight: 2, arbitrary: fc.constantFrom('application/json', 'text/html', '', 'x') });
    await fc.assert(
      fc.asyncProperty(reply, garbage, place, place, cuts, type, fc.boolean(), async (one, bytes, from, to, places, kind, isCut) => {
        const right = kind === 'application/json' ? Buffer.from(JSON.stringify(replyJson(asked, one))) : streamOf(one);
        const [start, end] = [from, to].map((part) => Math.floor(part * right.length)).sort((left, right) => left - right) as [number, number];
        const spoiled = Buffer.concat([right.subarray(0, start), bytes, right.subarray(end)]);
        const { outcome } = await read(adapter, { type: kind, pieces: cutAt(spoiled, places), isCut });
        if (!outcome.ok) expect(outcome).toMatchObject({ kind: expect.any(String), message: expect.stringMatching(/\w/) });
        else expect(['stop', 'tool_calls', 'length', 'content_filter']).toContain(outcome.finish);
      }),
      runs(250),
    );
  });

  test('ends with an outcome for an event with odd values and emits only text', async () => {
    const odd = fc.oneof(fc.constantFrom(null, 1, true, '', 'x', [], {}, [null], -1, 1e21), fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(reply, fc.array(fc.tuple(fc.nat(40), odd), { minLength: 1, maxLength: 3 }), async (one, changes) => {
        const lines = streamOf(one).toString().split('\n');
        const datas = lines.flatMap((line, at) => (line.startsWith('data: {') ? [at] : []));
        for (const [place, value] of changes) {
          const at = datas[place % datas.length] as number;
          lines[at] = `data: ${JSON.stringify(replaceAt(JSON.parse((lines[at] as string).slice(6)), place, value))}`;
        }
        const reply = await read(adapter, { type: events, pieces: [Buffer.from(lines.join('\n'))] });
        expect(typeof reply.outcome.ok).toBe('boolean');
        if (reply.outcome.ok && reply.outcome.usage) for (const count of Object.values(reply.outcome.usage)) expect(count).toBeTypeOf('number');
        if (reply.outcome.ok) for (const call of reply.calls) expect(call.name, 'a name of a call').not.toBe('');
      }),
      runs(250),
    );
  });

  test.each([
    ['an event', events, 'data: {"x":"'],
    ['a line', events, ''],
    ['a document', 'application/json', '{"x":"'],
  ])('aborts %s that does not end as too long', async (_, type, start) => {
    const mebibyte = Buffer.alloc(2 ** 20, 'x');
    const { outcome } = await read(adapter, { type, pieces: [Buffer.from(start), ...Array.from({ length: 24 }, () => mebibyte)] });
    expect(outcome).toMatchObject({ ok: false, kind: 'bad_reply', message: expect.stringContaining('too long') });
  });
});

/** Replaces the value at the given position, counted over all depths. */
function replaceAt(value: unknown, place: number, by: unknown): unknown {
  const paths: string[] = [];
  JSON.stringify(value, function (this: unknown, key: string, inner: unknown) {
    paths.push(key);
    return inner;
  });
  let left = place % paths.length;
  return JSON.parse(JSON.stringify(value, (_, inner: unknown) => (left-- === 0 ? by : inner))) as unknown;
}
