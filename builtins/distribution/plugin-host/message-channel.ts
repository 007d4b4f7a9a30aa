// Sends and receives texts over a stream, each after its length in bytes as a 32-bit number. Unlike Node's IPC channel, it accepts no handles and no commands.
import type { Duplex } from 'node:stream';

const headBytes = 4;
/** Number of the file descriptor that the process of a plugin uses. */
export const channelNumber = 3;

/**
 * Opens a channel. Returns a function that sends a text.
 * @param receive called with each text; `fail`: called with the reason for a text that is empty or longer than `mostBytes`
 */
export function openChannel(stream: Duplex, mostBytes: number, receive: (text: string) => void, fail: (why: string) => void): (text: string) => void {
  let frame = Buffer.alloc(headBytes);
  let filled = 0;
  let isHead = true;
  stream.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length;) {
      const count = chunk.copy(frame, filled, at);
      at += count;
      filled += count;
      if (filled < frame.length) return;
      const whole = frame;
      const length = isHead ? whole.readUInt32BE() : headBytes;
      if (length === 0 || length > mostBytes) return fail(`it sent a message of ${length} bytes`);
      [frame, filled, isHead] = [Buffer.alloc(length), 0, !isHead];
      if (isHead) receive(whole.toString());
    }
  });
  return (text) => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(body.length);
    stream.write(Buffer.concat([head, body]));
  };
}
