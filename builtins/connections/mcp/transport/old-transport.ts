// Implements the transport from before streamable HTTP: an incoming event stream, and messages that are sent to the address that the stream names.
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { whyOf } from '../server/foreign-text.ts';

/** @param send must not follow redirects; a redirect counts as a failure */
export function createOldTransport(url: URL, send: FetchLike): Transport {
  const ended = new AbortController();
  let endpoint: URL | undefined;
  let isClosed = false;

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    ended.abort();
    transport.onclose?.();
  }

  async function open(): Promise<AsyncIterable<EventSourceMessage>> {
    const answer = await send(url, { headers: { accept: 'text/event-stream' }, signal: ended.signal });
    if (!answer.ok || !answer.body) throw new Error(`the server responded with status ${answer.status}`);
    const messages = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    return messages as unknown as AsyncIterable<EventSourceMessage>;
  }

  function take(data: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(data));
    } catch {
      transport.onerror?.(new Error('an event is not a valid message'));
      return;
    }
    transport.onmessage?.(message);
  }

  async function follow(messages: AsyncIterable<EventSourceMessage>, onEndpoint: () => void): Promise<void> {
    for await (const { event, data } of messages) {
      if (event === 'endpoint') {
        const named = new URL(data, url);
        if (named.origin !== url.origin) throw new Error(`the server requires messages to be sent to ${named.origin}`);
        endpoint = named;
        onEndpoint();
      } else if (event === undefined || event === 'message') take(data);
    }
    throw new Error('the event stream ended');
  }

  const transport: Transport = {
    async start() {
      const messages = await open();
      await new Promise<void>((resolve, reject) => {
        follow(messages, resolve).catch((fault: unknown) => {
          reject(fault);
          if (!ended.signal.aborted) transport.onerror?.(new Error(whyOf(fault)));
          close();
        });
      });
    },
    async send(message) {
      if (!endpoint || isClosed) throw new Error('there is no connection');
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(message), signal: ended.signal };
      const answer = await send(endpoint, init);
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the server responded with status ${answer.status}`);
    },
    close: () => Promise.resolve(close()),
  };
  return transport;
}
