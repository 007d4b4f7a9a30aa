// Controls the terminal of this process: modes, size and input. Restores the terminal on every exit.
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { deferOutput } from './deferred-output.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalListener {
  /** Decoded text as it arrives. */
  onInput(text: string): void;
  onResize(): void;
  /** Called when all output has been flushed and the next frame can be written. */
  onReady(): void;
  /** Called when the user resumes the suspended program. */
  onContinue(): void;
  /** Called when the terminal is gone. */
  onGone(): void;
}

export interface Terminal {
  /** Returns the current size, not the last reported one. */
  size(): Size;
  write(text: string): void;
  /** Returns whether all output has been flushed; at most one frame may be pending. */
  isReady(): boolean;
  /** Takes over the keyboard. */
  enter(listener: TerminalListener): void;
  /** Restores the terminal. Calling it twice is harmless. */
  leave(): void;
  /** Suspends the program as Ctrl+Z does; `onContinue` is called when the user resumes it. Call it only after `leave`. */
  stop(): void;
}

const escape = '\u001b[';
/** Enables bracketed paste, focus events and keys with all modifiers if the terminal supports them, and disables line wrapping. */
const enterModes = `${escape}?2004h${escape}?1004h${escape}>1u${escape}?7l`;
const leaveModes = `${escape}?2026l${escape}?7h${escape}<u${escape}?1004l${escape}?2004l${escape}?25h${escape}m`;

export function openTerminal(input: ReadStream, output: WriteStream): Terminal {
  let listener: TerminalListener | undefined;
  let isEntered = false;
  const held = deferOutput(output, process.stderr);

  const onInput = (text: string): void => listener?.onInput(text);
  const onResize = (): void => listener?.onResize();
  /** Used instead of the event `drain`, which is emitted only after much output was buffered. */
  const onWritten = (): void => {
    if (output.writableLength === 0) listener?.onReady();
  };
  const onEnd = (): void => listener?.onGone();
  const onContinue = (): void => listener?.onContinue();
  /** Also restores the terminal after an error, because a shell without echo is unusable. */
  const onExit = (): void => {
    if (!isEntered) return;
    try {
      writeSync(1, `\r\n${leaveModes}`);
      input.setRawMode(false);
      writeSync(2, held.take());
    } catch {
      // the terminal is gone
    }
  };

  return {
    size() {
      const [columns, rows] = output.getWindowSize();
      return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
    },
    write: (text) => held.write(text, onWritten),
    isReady: () => output.writableLength === 0,
    enter(given) {
      if (isEntered) return;
      isEntered = true;
      listener = given;
      setBlocking(output, false);
      input.setRawMode(true).setEncoding('utf8').on('data', onInput).on('end', onEnd).resume();
      output.on('resize', onResize);
      process.on('exit', onExit);
      held.begin();
      held.write(enterModes);
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      held.write(leaveModes);
      input.removeListener('data', onInput).removeListener('end', onEnd);
      try {
        input.setRawMode(false);
      } catch {
        // the terminal is gone
      }
      input.pause();
      output.removeListener('resize', onResize);
      process.removeListener('exit', onExit);
      held.end();
    },
    stop() {
      process.once('SIGCONT', onContinue);
      process.kill(process.pid, 'SIGTSTP');
    },
  };
}

/** Sets whether writes block. A blocking write to a paused terminal would block the process. */
function setBlocking(output: WriteStream, isBlocking: boolean): void {
  const { _handle: handle } = output as unknown as { readonly _handle?: { setBlocking?(value: boolean): void } };
  handle?.setBlocking?.(isBlocking);
}
