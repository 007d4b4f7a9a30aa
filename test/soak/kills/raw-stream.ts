// A reader of every chat's events that keeps their bytes as they came.
import { createParser } from 'eventsource-parser';
import type { ServerProcess } from '../../helpers/server-process.ts';

type RawEvent = Readonly<Record<string, unknown>>;

export interface RawStream {
  until(fits: (event: RawEvent) => boolean): Promise<RawEvent>;
  readonly ended: Promise<void>;
}

export async function openRawStream(server: Pick<ServerProcess, 'url' | 'token'>, saw: (json: string) => void): Promise<RawStream> {
  const reply = await fetch(`${server.url}/api/stream?chatId=all`, { headers: { authorization: `Bearer ${server.token}` } });
  if (!reply.ok || !reply.body) throw new Error(`the stream answered ${reply.status}: ${await reply.text()}`);
  const waiting = new Set<{ fits: (event: RawEvent) => boolean; resolve: (event: RawEvent) => void; reject: (fault: Error) => void }>();
  const parser = createParser({
    onEvent({ data }) {
      saw(data);
      const event = JSON.parse(data) as RawEvent;
      for (const one of waiting) {
        if (!one.fits(event)) continue;
        waiting.delete(one);
        one.resolve(event);
      }
    },
  });
  const until = (fits: (event: RawEvent) => boolean): Promise<RawEvent> => new Promise((resolve, reject) => waiting.add({ fits, resolve, reject }));
  const connected = until((event) => event['kind'] === 'connected');
  const ended = readAll(reply.body as unknown as AsyncIterable<Uint8Array>, (text) => parser.feed(text)).then(() => {
    for (const one of waiting) one.reject(new Error('the stream ended'));
  });
  await connected;
  return { until, ended };
}

async function readAll(body: AsyncIterable<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of body) take(decoder.decode(piece, { stream: true }));
  } catch {
    // the server died, as it was meant to
  }
}
