// The terminal that this process was started in: its modes, its size, what is typed, and how it is left whatever happens.
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { holdOutput } from './held-output.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalListener {
  /** Decoded text, as it comes. */
  onInput(text: string): void;
  onResize(): void;
  /** What was written is gone, so the next frame may be. */
  onReady(): void;
  /** The person comes back after the program was put aside. */
  onContinue(): void;
  /** Nobody is there any more. */
  onGone(): void;
}

export interface Terminal {
  /** As it is now, not as it was when it last told. */
  size(): Size;
  write(text: string): void;
  /** Whether all that was written is gone: what is not may never become more than one frame. */
  isReady(): boolean;
  /** Takes the keyboard. */
  enter(listener: TerminalListener): void;
  /** Gives it back as it was. Calling it twice is harmless. */
  leave(): void;
  /** Puts the program aside, as ctrl+z does everywhere; `onContinue` follows. Only after `leave`. */
  stop(): void;
}

const escape = '\u001b[';
/** Bracketed paste, focus events, keys with all their modifiers where the terminal knows how, and lines that are cut. */
const enterModes = `${escape}?2004h${escape}?1004h${escape}>1u${escape}?7l`;
const leaveModes = `${escape}?2026l${escape}?7h${escape}<u${escape}?1004l${escape}?2004l${escape}?25h${escape}m`;

export function openTerminal(input: ReadStream, output: WriteStream): Terminal {
  let listener: TerminalListener | undefined;
  let isEntered = false;
  const held = holdOutput(output, process.stderr);

  const onInput = (text: string): void => listener?.onInput(text);
  const onResize = (): void => listener?.onResize();
  /** Not `drain`, which is told only where much was waiting: a frame is little, and the next one waits for it. */
  const onWritten = (): void => {
    if (output.writableLength === 0) listener?.onReady();
  };
  const onEnd = (): void => listener?.onGone();
  const onContinue = (): void => listener?.onContinue();
  /** Also where the process ends by a fault: a shell without echo is of no use. */
  const onExit = (): void => {
    if (!isEntered) return;
    try {
      writeSync(1, `\r\n${leaveModes}`);
      input.setRawMode(false);
      writeSync(2, held.take());
    } catch {
      // the terminal is gone, too
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
      input.setRawMode(false).pause();
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

/** Node waits in each write to a terminal; then one that takes nothing, such as a paused one, would hold up everything else here. */
function setBlocking(output: WriteStream, isBlocking: boolean): void {
  const { _handle: handle } = output as unknown as { readonly _handle?: { setBlocking?(value: boolean): void } };
  handle?.setBlocking?.(isBlocking);
}
