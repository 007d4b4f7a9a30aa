// Buffers other output of this process while the screen is active, until the terminal is returned to the shell.
import type { WriteStream } from 'node:tty';

export interface DeferredOutput {
  /** Writes the screen's own output. */
  write(text: string, onWritten?: () => void): void;
  /** Starts buffering other output. */
  begin(): void;
  /** Prints the buffered output to standard error and stops buffering. */
  end(): void;
  /** Returns the buffered output for immediate printing. */
  take(): string;
}

type Print = WriteStream['write'];

/** Maximum length of the buffered output in characters; the newest output is kept. */
const longest = 64 * 1024;

/** @param errors standard error; if it is redirected to a file, it is not buffered */
export function deferOutput(output: WriteStream, errors: WriteStream): DeferredOutput {
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
