// Streams unread bus messages to one subscriber, in order and at the subscriber's pace. Has no queue per subscriber.
import { eventFrame, type EventStream } from '#lib/event-stream';
import type { BusFeed } from './bus-feed.ts';

/** Sends until the stream is closed. @param since cursor up to which the subscriber has all messages @param onFault called when reading fails */
export function startBusReader(feed: BusFeed, stream: EventStream, since: number, onFault: (fault: unknown) => void): void {
  let sent = since;
  let isSending = false;

  async function send(): Promise<void> {
    while (sent < feed.position && !stream.signal.aborted) {
      if (stream.isFull) {
        await stream.drained();
        continue;
      }
      const found = feed.after(sent);
      const { messages, upTo } = 'upTo' in found ? found : await found;
      if (messages.length === 0) skipTo(upTo);
      let frames = '';
      for (const { cursor, frame } of messages) {
        if (cursor > sent + 1) frames += gapTo(cursor - 1);
        frames += frame;
        sent = cursor;
      }
      if (frames !== '') stream.write(frames);
    }
  }

  function gapTo(to: number): string {
    return eventFrame({ gap: { from: sent + 1, to } }, to);
  }

  function skipTo(to: number): void {
    stream.write(gapTo(to));
    sent = to;
  }

  function wake(): void {
    if (isSending) return;
    isSending = true;
    // Not awaited: usually all messages are in memory.
    send()
      .catch(onFault)
      .finally(() => {
        isSending = false;
        if (sent < feed.position && !stream.signal.aborted) setTimeout(wake, 1_000).unref();
      });
  }

  const stop = feed.onMoved(wake);
  stream.signal.addEventListener('abort', stop, { once: true });
  if (stream.signal.aborted) stop();
  else wake();
}
