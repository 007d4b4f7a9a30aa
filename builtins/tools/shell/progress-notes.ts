// Emits the output of a command as progress notes, at most ten per second.
import { textEnd } from '#lib/text';

const everyMs = 100;
const maxNote = 2000;

export interface ProgressNotes {
  add(chunk: Buffer): void;
  /** Emits the remaining output and stops. */
  end(): void;
}

export function createProgressNotes(progress: (note: string) => void): ProgressNotes {
  const decoder = new TextDecoder();
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;

  function pass(): void {
    clearTimeout(timer);
    timer = undefined;
    const note = waiting.length > maxNote ? `…${textEnd(waiting, maxNote)}` : waiting;
    waiting = '';
    if (note.trim() !== '') progress(note);
  }

  return {
    add(chunk) {
      // Clients show only the end, so excess output is not collected.
      waiting = (waiting + decoder.decode(chunk, { stream: true })).slice(-(maxNote + 1));
      timer ??= setTimeout(pass, everyMs);
    },
    end: pass,
  };
}
