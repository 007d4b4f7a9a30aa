// Implements a model that replays recorded replies: a provider on the loopback interface with the chat completions API.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '#lib/values';

/** One reply of the model. A file `*.turn.json` contains a list of these. */
export interface RecordedReply {
  readonly text?: string;
  /** Reasoning before the reply. */
  readonly reasoning?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly args?: Readonly<Record<string, unknown>> }[];
  /** `length`: the reply was truncated. */
  readonly finish?: 'length';
  /** HTTP status of 400 or more with which the request fails; `text` is the reason. */
  readonly status?: number;
}

export interface TurnModel {
  /** Address for `AGENT_API_BASE_URL`. */
  readonly url: string;
  /** Received requests, updated live. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

const mostBytes = 16_000_000;
const fields: ReadonlySet<string> = new Set(['text', 'reasoning', 'toolCalls', 'finish', 'status']);
const isRefusal = (status: unknown): boolean => Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;

/** Parses the replies. Throws an error with a readable message if the value is not a list of replies. @param place name of the source for that message */
export function readReplies(value: unknown, place: string): readonly RecordedReply[] {
  const isText = (one: unknown): boolean => one === undefined || typeof one === 'string';
  const isReply = (one: unknown): boolean =>
    isRecord(one) &&
    Object.keys(one).every((key) => fields.has(key)) &&
    isText(one['text']) &&
    isText(one['reasoning']) &&
    (one['finish'] === undefined || one['finish'] === 'length') &&
    (one['status'] === undefined || isRefusal(one['status'])) &&
    (one['toolCalls'] === undefined ||
      (Array.isArray(one['toolCalls']) && one['toolCalls'].every((call) => isRecord(call) && typeof call['name'] === 'string')));
  if (Array.isArray(value) && value.every(isReply)) return value as readonly RecordedReply[];
  throw new Error(
    `${place} must be a list of replies, such as [{ "toolCalls": [{ "name": "read_file", "args": { "path": "a.txt" } }] }, { "text": "Done." }].`,
  );
}

/** Starts the model. Each request of a turn consumes one reply; other requests, such as for titles, receive a single word. The caller must close the result. */
export async function startTurnModel(replies: readonly RecordedReply[]): Promise<TurnModel> {
  const left = [...replies];
  const requests: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
      if (body.length > mostBytes) request.destroy();
    });
    request.on('end', () => {
      if (request.method !== 'POST') return void reply.writeHead(404).end('{}');
      const asked = JSON.parse(body) as { readonly tools?: readonly unknown[]; readonly stream?: boolean };
      const isTurn = (asked.tools ?? []).length > 0;
      if (isTurn) requests.push(asked);
      const next = isTurn ? left.shift() : { text: 'Test' };
      if (next) return void answer(next, asked.stream === true, requests.length);
      refuse(404, `No recorded reply is left for request ${requests.length} of the turn; add one to the list.`);
    });
    const refuse = (status: number, message: string): void =>
      void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    const answer = ({ text = '', reasoning, toolCalls = [], finish, status }: RecordedReply, isStream: boolean, round: number): void => {
      if (status !== undefined) return refuse(status, text);
      const tool_calls = toolCalls.map(({ name, args = {} }, index) => ({
        ...{ index, id: `call_${round}_${index}`, type: 'function' },
        function: { name, arguments: JSON.stringify(args) },
      }));
      const said = { role: 'assistant', content: text, ...(reasoning === undefined ? {} : { reasoning }), ...(tool_calls.length > 0 ? { tool_calls } : {}) };
      const finish_reason = finish ?? (tool_calls.length > 0 ? 'tool_calls' : 'stop');
      const document = (choice: object): string =>
        JSON.stringify({ id: `reply-${round}`, model: 'recorded', choices: [{ index: 0, finish_reason, ...choice }] });
      reply.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      reply.end(isStream ? `data: ${document({ delta: said })}\n\ndata: [DONE]\n\n` : document({ message: said }));
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
