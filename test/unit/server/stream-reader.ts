// A client with a bad network: drops, pauses, reads slowly, reconnects, and maintains its own picture of a chat.
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { Dice } from '../../soak/kills/crash-bench.ts';

export interface Picture {
  readonly texts: Map<string, string>;
  readonly cards: Map<string, { readonly name: string; readonly ok?: boolean; readonly output?: string }>;
  readonly ends: Map<string, string>;
}

export const emptyPicture = (): Picture => ({ texts: new Map(), cards: new Map(), ends: new Map() });

/** Applies an event to the picture. Throws on a gap in a text. */
export function draw({ texts, cards, ends }: Picture, event: any): void {
  if (event.kind === 'text') {
    const key = `${event.messageId} ${event.channel}`;
    const text = texts.get(key) ?? '';
    if (event.offset > text.length) throw new Error(`a gap in ${key}: ${text.length} of ${event.offset}`);
    texts.set(key, text.slice(0, event.offset) + event.delta);
  }
  if (event.kind === 'tool_start') cards.set(event.callId, { name: event.name });
  if (event.kind === 'tool_result') cards.set(event.callId, { name: event.name, ok: event.ok, output: event.output });
  if (event.kind !== 'turn_end') return;
  if (ends.has(event.turnId)) throw new Error(`${event.turnId} ended twice`);
  ends.set(event.turnId, event.reason);
}

export interface RandomReader {
  readonly picture: Picture;
  readonly lastId: number;
  readonly drops: number;
  readonly resyncs: number;
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

/** @param where the server now; it may change @param chatId a chat, or `all` */
export function startRandomReader(where: () => { url: string; token: string }, chatId: string, dice: Dice): RandomReader {
  const faults: string[] = [];
  let picture = emptyPicture();
  let lastId = 0;
  let drops = 0;
  let resyncs = 0;
  let isOver = false;
  let open: IncomingMessage | undefined;

  function take(event: any): void {
    if (event.kind === 'resync') {
      resyncs++;
      picture = emptyPicture();
    }
    if (event.kind === 'transcript_replay') lastId = event.cursor;
    if (event.id === undefined) return;
    if (event.id <= lastId) faults.push(`${event.id} after ${lastId}`);
    lastId = event.id;
    try {
      draw(picture, event);
    } catch (fault) {
      if (resyncs === 0) faults.push(String(fault));
    }
  }

  async function connect(): Promise<void> {
    const { url, token } = where();
    const response = await new Promise<IncomingMessage | undefined>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'last-event-id': String(lastId) };
      get(`${url}/api/stream?chatId=${chatId}`, { headers, agent: false }, resolve).on('error', () => resolve(undefined));
    });
    if (isOver) response?.destroy();
    if (isOver || !response || response.statusCode !== 200) return;
    open = response.setEncoding('utf8');
    const parser = createParser({ onEvent: ({ data }) => take(JSON.parse(data)) });
    const isSlow = dice.below(3) === 0;
    let left = 1 + dice.below(12);
    try {
      for await (const piece of response as AsyncIterable<string>) {
        parser.feed(piece);
        if (isSlow) await sleep(dice.below(4));
        // It may have been stopped while connecting, before the connection could be destroyed.
        if (isOver) break;
        if (left-- > 0) continue;
        left = 1 + dice.below(12);
        if (dice.below(2) === 0) await sleep(5 + dice.below(40));
        else break; // Destroys the connection, perhaps in the middle of an event.
      }
    } catch {
      // The server is gone.
    }
    drops++;
  }

  const done = (async () => {
    while (!isOver) {
      await connect();
      await sleep(dice.below(10));
    }
  })();
  return {
    get picture() {
      return picture;
    },
    get lastId() {
      return lastId;
    },
    get drops() {
      return drops;
    },
    get resyncs() {
      return resyncs;
    },
    faults,
    async stop() {
      isOver = true;
      open?.destroy();
      await done;
    },
  };
}
