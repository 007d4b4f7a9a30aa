// What anything else in this process prints while the screen is drawn: it would stand in the midst of it, so it waits until the shell has its terminal again.
import type { WriteStream } from 'node:tty';

export interface HeldOutput {
  /** For the screen itself. */
  write(text: string, onWritten?: () => void): void;
  /** From now on what others print is held. */
  begin(): void;
  /** Prints what was held, to standard error, and holds nothing any more. */
  end(): void;
  /** What is held, for whoever has to print it at once. */
  take(): string;
}

type Print = WriteStream['write'];

/** Characters; the newest are kept. */
const longest = 64 * 1024;

/** @param errors goes somewhere else, into a file, where it is no terminal: then it is left alone */
export function holdOutput(output: WriteStream, errors: WriteStream): HeldOutput {
  const streams = errors.isTTY ? [output, errors] : [output];
  let before: readonly Print[] | undefined;
  const own: Print = output.write.bind(output);
  let held = '';

  function hold(chunk: string | Uint8Array, encoding?: BufferEncoding | (() => void), onWritten?: () => void): boolean {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    held = (held + text).slice(-longest);
    const done = typeof encoding === 'function' ? encoding : onWritten;
    if (done) queueMicrotask(done);
    return true;
  }

  function take(): string {
    const text = held;
    held = '';
    return text;
  }

  return {
    write: (text, onWritten) => void own(text, onWritten),
    take,
    begin() {
      if (before) return;
      before = streams.map(({ write }) => write);
      for (const stream of streams) stream.write = hold;
    },
    end() {
      if (!before) return;
      for (const [at, stream] of streams.entries()) stream.write = before[at] as Print;
      before = undefined;
      if (held !== '') errors.write(take());
    },
  };
}
