// Sends events to one reader: first missed events, then live events. Lets a slow reader catch up again, and disconnects it if it stays slow.
import type { Chats, EventFrame, EventLog } from 'agent-harness/plugins/chats';
import type { Wire } from 'agent-harness/plugins/stream';
import { encodeNotice, type Batch, type View } from './batch.ts';
import { createFrameBuffer, mergeById } from './frame-buffer.ts';
import type { Writer } from './writer.ts';

const chunkChars = 256 * 1024;
/** Number of seconds for which the queue of a reader may stay full. */
const patience = 10;

/**
 * - `catching`: live events are buffered until earlier ones were sent.
 * - `live`: receives each batch immediately.
 * - `lagging`: the queue was full; the reader catches up when it is empty.
 * - `ending`: closed at the next tick.
 */
type State = 'catching' | 'live' | 'lagging' | 'ending';

export interface Reader {
  readonly view: View;
  readonly wire: Wire;
  /** Switches a reader of the active chat to this chat. */
  follow(chatId: string): void;
  /** Starts sending. `since`: the reader's last id; `undefined`: only new events. */
  start(writer: Writer, since: number | undefined): void;
  take(batch: Batch): void;
  /** Sends a line that may be dropped when the reader is busy. */
  notice(text: string): void;
  /** Called once a second. */
  tick(): void;
  end(): void;
}

export interface ReaderParts {
  readonly eventLog: EventLog;
  readonly chats: Chats;
  readonly onFault: (fault: unknown) => void;
}

/** Creates a reader that buffers the frames passed to `take` until it is started. */
export function createReader(first: View, wire: Wire, { eventLog, chats, onFault }: ReaderParts): Reader {
  const held = createFrameBuffer();
  let view = first;
  let state: State = 'catching';
  let writer: Writer | undefined;
  /** Id up to which all events were sent. */
  let sentTo = eventLog.cursor;
  let waitedTicks = 0;
  let isSending = false;

  async function catchUp(since: number | undefined): Promise<void> {
    state = 'catching';
    let from = since;
    if (from === undefined) await sendRetained();
    do {
      const lostSwitch = held.reset();
      const missed = from === undefined ? [] : await load(from);
      if (from !== undefined) sentTo = from;
      if (lostSwitch) await send([unnumbered(lostSwitch)]);
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
    return missed && mergeById(missed, eventLog.newest(since)).flatMap((frame) => (view.audience.hears(frame) ? [view.audience.frameFor(frame)] : []));
  }

  /**
   * Sends the events that are stored for late readers. They are sent without ids; otherwise, the reader's next connection would request all events since then.
   */
  async function sendRetained(): Promise<void> {
    const texts = eventLog.newest().flatMap((frame) => (frame.id > sentTo || !view.audience.hears(frame) ? [] : [unnumbered(view.audience.frameFor(frame))]));
    if (texts.length > 0) await send(texts);
  }

  /** Sends `resync`: the missing events cannot be replayed, so the reader must reload the transcript. */
  async function resync(): Promise<void> {
    const { cursor } = eventLog;
    sentTo = cursor;
    const chatId = view.kind === 'all' ? chats.activeId : view.chatId;
    await send([encodeNotice(wire, 'resync', { chatId: chatId ?? null, reason: 'The events after the requested id cannot be replayed.' })]);
    await sendRetained();
    if (chatId === undefined) return;
    const page = await chats.transcript(chatId);
    const before = page.cursor === undefined ? {} : { before: page.cursor };
    await send([encodeNotice(wire, 'transcript_replay', { chatId, entries: page.entries, cursor, ...before })]);
  }

  async function sendFrames(frames: readonly EventFrame[]): Promise<void> {
    let texts: string[] = [];
    let chars = 0;
    for (const frame of frames) {
      // Frames of a batch may arrive after the cursor has passed them.
      if (frame.id <= sentTo) continue;
      const text = wire.event(frame);
      texts.push(text);
      chars += text.length;
      sentTo = frame.id;
      if (chars < chunkChars) continue;
      await send(texts);
      if (writer?.isClosed) return;
      texts = [];
      chars = 0;
    }
    if (texts.length > 0) await send(texts);
  }

  async function send(texts: readonly string[]): Promise<void> {
    waitedTicks = 0;
    isSending = true;
    await writer?.send(texts);
    isSending = false;
  }

  const unnumbered = ({ kind, json, chatId }: EventFrame): string => wire.notice(kind, json, chatId);
  const isEnding = (): boolean => state === 'ending';

  function run(since: number | undefined): void {
    catchUp(since).catch((fault: unknown) => {
      onFault(fault);
      writer?.destroy();
    });
  }

  return {
    wire,
    get view() {
      return view;
    },
    follow(chatId) {
      if (view.kind === 'follow') view = { ...view, chatId };
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
      // A reader that caught up while frames were being collected has already received some of them.
      const bytes = batch.firstId > sentTo ? batch.bytesFor(view, wire) : encodeAfter(batch.framesFor(view), sentTo, wire);
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
      writer?.end(encodeNotice(wire, 'resync', { reason: 'This reader was too slow. Connect again.' }));
    },
    end() {
      state = 'ending';
      writer?.end();
    },
  };
}

function encodeAfter(frames: readonly EventFrame[], since: number, wire: Wire): Buffer | undefined {
  const texts = frames.flatMap((frame) => (frame.id > since ? [wire.event(frame)] : []));
  return texts.length === 0 ? undefined : wire.bytesOf(texts);
}
