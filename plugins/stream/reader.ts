// One reader: catches up, then gets what happens; falls back to catching up when it is slow, and is cut off when it stays slow.
import type { Chats, EventFrame, EventLog } from 'agent-harness/plugins/chats';
import { encodeFrame, encodeNotice, type Batch, type View } from './batch.ts';
import { createHeldFrames, mergeById } from './held-frames.ts';
import type { SocketWriter } from './socket-writer.ts';

const chunkChars = 256 * 1024;
/** Seconds that a queue may stay full. */
const patience = 10;

/**
 * - `catching`: what happens is held back until what happened before has been sent.
 * - `live`: gets every batch at once.
 * - `lagging`: its queue was full; it catches up once that is empty.
 * - `ending`: closed at the next tick.
 */
type State = 'catching' | 'live' | 'lagging' | 'ending';

export interface Reader {
  readonly view: View;
  /** A follower sees this chat from now on. */
  follow(chatId: string): void;
  /** Begins to send. `since`: the last id it has; `undefined` when it wants only what is new. */
  start(writer: SocketWriter, since: number | undefined): void;
  take(batch: Batch): void;
  /** A line that may be left out when the reader is busy otherwise. */
  notice(text: string): void;
  /** Once a second. */
  tick(): void;
  end(): void;
}

export interface ReaderParts {
  readonly eventLog: EventLog;
  readonly chats: Chats;
  readonly onFault: (fault: unknown) => void;
}

/** From now on it holds back what it `take`s, until it is started. */
export function createReader(first: View, { eventLog, chats, onFault }: ReaderParts): Reader {
  const held = createHeldFrames();
  let view = first;
  let state: State = 'catching';
  let writer: SocketWriter | undefined;
  /** Everything up to this id has been sent. */
  let sentTo = eventLog.cursor;
  let waitedTicks = 0;
  let isSending = false;

  async function catchUp(since: number | undefined): Promise<void> {
    state = 'catching';
    let from = since;
    if (from === undefined) await sendKept();
    do {
      const lostSwitch = held.reset();
      const missed = from === undefined ? [] : await load(from);
      if (from !== undefined) sentTo = from;
      if (lostSwitch) await send(`data: ${lostSwitch.json}\n\n`);
      if (missed) await sendFrames(mergeById(missed, held.takeAll()));
      else await resync();
      while (!held.isEmpty && !writer?.isClosed) await sendFrames(held.takeAll());
      from = sentTo;
    } while (held.hasOverrun && !writer?.isClosed);
    if (!isEnding()) state = 'live';
  }

  async function load(since: number): Promise<readonly EventFrame[] | undefined> {
    if (!Number.isSafeInteger(since)) return undefined;
    const missed = await (view.kind === 'all' ? eventLog.replayAll(since) : eventLog.replay(view.chatId, since));
    return missed && mergeById(missed, eventLog.newest(since));
  }

  /** What is kept for readers that come late. Without ids, or its next connection would ask for all that came since. */
  async function sendKept(): Promise<void> {
    const text = eventLog.newest().flatMap(({ id, json }) => (id > sentTo ? [] : [`data: ${json}\n\n`]));
    if (text.length > 0) await send(text.join(''));
  }

  /** What it missed cannot be replayed: it starts over from the transcript. */
  async function resync(): Promise<void> {
    const { cursor } = eventLog;
    sentTo = cursor;
    const chatId = view.kind === 'all' ? chats.activeId : view.chatId;
    await send(encodeNotice('resync', { chatId: chatId ?? null, reason: 'The events after that id cannot be replayed.' }));
    await sendKept();
    if (chatId === undefined) return;
    const page = await chats.transcript(chatId);
    await send(encodeNotice('transcript_replay', { chatId, entries: page.entries, cursor, ...(page.cursor === undefined ? {} : { before: page.cursor }) }));
  }

  async function sendFrames(frames: readonly EventFrame[]): Promise<void> {
    let text = '';
    for (const frame of frames) {
      // Also what was gathered for many readers comes later than the cursor that covers it.
      if (frame.id <= sentTo) continue;
      text += encodeFrame(frame);
      sentTo = frame.id;
      if (text.length < chunkChars) continue;
      await send(text);
      if (writer?.isClosed) return;
      text = '';
    }
    if (text !== '') await send(text);
  }

  async function send(text: string): Promise<void> {
    waitedTicks = 0;
    isSending = true;
    await writer?.send(text);
    isSending = false;
  }

  const isEnding = (): boolean => state === 'ending';

  function run(since: number | undefined): void {
    catchUp(since).catch((fault: unknown) => {
      onFault(fault);
      writer?.destroy();
    });
  }

  return {
    get view() {
      return view;
    },
    follow(chatId) {
      if (view.kind === 'follow') view = { kind: 'follow', chatId };
    },
    start(opened, since) {
      writer = opened;
      opened.onDrain(() => {
        if (state === 'lagging') run(sentTo);
      });
      run(since);
    },
    take(batch) {
      if (state === 'ending') return;
      if (state !== 'live') return held.add(batch.framesFor(view));
      // A reader that caught up while frames were gathered has some of them already.
      const bytes = batch.firstId > sentTo ? batch.bytesFor(view) : encodeAfter(batch.framesFor(view), sentTo);
      if (!bytes || writer?.offer(bytes)) {
        sentTo = batch.lastId;
        return;
      }
      state = 'lagging';
      waitedTicks = 0;
      held.overrun();
      held.add(batch.framesFor(view));
    },
    notice(text) {
      if (state === 'live') writer?.push(text);
    },
    tick() {
      if (state === 'ending') return writer?.destroy();
      const isWaiting = state === 'lagging' || (state === 'catching' && isSending);
      if (!isWaiting || ++waitedTicks < patience) return;
      state = 'ending';
      writer?.end(encodeNotice('resync', { reason: 'This reader was too slow; connect again.' }));
    },
    end() {
      state = 'ending';
      writer?.end();
    },
  };
}

function encodeAfter(frames: readonly EventFrame[], since: number): Buffer | undefined {
  const text = frames.flatMap((frame) => (frame.id > since ? [encodeFrame(frame)] : [])).join('');
  return text === '' ? undefined : Buffer.from(text, 'utf8');
}
