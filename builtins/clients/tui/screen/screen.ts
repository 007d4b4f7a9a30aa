// Draws frames: one write each, at most thirty in a second, none while the terminal has not taken the last one, and none without a reason.
import { drawFrame, eraseLive, heightOf, nothingLive, type Frame, type Live } from './frame.ts';
import { rowWidth } from './measure.ts';
import type { Row } from './spans.ts';
import type { Size, Terminal } from './terminal.ts';

export interface ScreenOptions {
  readonly terminal: Terminal;
  /** What is to be seen. What it answers as commits is written once and for all, so it is asked for only when it will be written. */
  readonly compose: (size: Size) => Frame;
  readonly hasColor: boolean;
  /** Whether the terminal breaks its lines anew when it gets narrower; nearly all do. */
  readonly doesReflow: boolean;
}

export interface Screen {
  /** Draws soon. @param isUrgent somebody typed, and waits for it */
  request(isUrgent?: boolean): void;
  /** Draws at once, also where the terminal is behind. */
  draw(): void;
  /** Takes the live rows away; the cursor stands where they began. */
  clear(): void;
  /** Draws nothing until {@link Screen.resume}. */
  pause(): void;
  resume(): void;
  /** The terminal has taken what was written. */
  onReady(): void;
  /** The terminal came to the last frame, and was so wide then. */
  onWidth(columns: number): void;
  close(): void;
}

/** A frame of which nobody knows yet how wide the terminal was when it came to it. */
interface Sent {
  readonly frame: Frame;
  readonly columns: number;
  /** Widths of the lines that stood above the caret before it, down from where it would have begun. */
  readonly lines: readonly number[];
  /** The caret's row before it. */
  readonly caretRow: number;
  /** Rows that it went up to where it began to write. */
  readonly up: number;
  /** From which row on everything was written anew; `undefined` where rows were changed in place. */
  readonly from: number | undefined;
}

const frameMs = 33;
/** So long a terminal is waited for until it says how wide it was, where nobody knows yet whether it ever does. */
const firstAnswerMs = 400;
/** One that did before is busy, or far away. */
const answerMs = 2_000;
const patience = 3;
/** Rows for good that may have to be written once more. */
const recentRows = 60;

/**
 * A person may change the size at any moment, also while a frame is on its way: then the terminal has broken the old rows anew
 * before it comes to the frame, and what was meant for one row hits another. So each frame asks how wide the terminal is as it comes
 * to it, the next one waits for the answer, and a frame that met another width than it was made for is written once more.
 */
export function createScreen({ terminal, compose, hasColor, doesReflow }: ScreenOptions): Screen {
  let live: Live = nothingLive;
  /** Widths of the lines in the terminal that stand above the caret and are not for good. */
  let lines: readonly number[] = [];
  let size = terminal.size();
  let drawnAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let immediate: ReturnType<typeof setImmediate> | undefined;
  let answerTimer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let isPaused = false;
  let sent: Sent | undefined;
  /** Rows for good that have to be written once more. */
  let again: readonly Row[] | undefined;
  /** The newest rows for good. */
  let recent: readonly Row[] = [];
  let unanswered = 0;
  let hasAnswered = false;
  /** Answers to frames that are no longer waited for: they come first. */
  let owed = 0;

  function draw(): void {
    cancel();
    isDue = false;
    drawnAt = performance.now();
    const now = terminal.size();
    const isAnew = now.columns !== size.columns || now.rows !== size.rows || again !== undefined;
    const before = live;
    const stood = lines;
    const up = isAnew ? takeAway(now) : 0;
    const composed = compose(now);
    const frame: Frame = again && again.length > 0 ? { ...composed, commits: [...again, ...composed.commits] } : composed;
    again = undefined;
    const isAsking = unanswered < patience;
    const { text, from } = drawFrame(live, frame, size.columns, hasColor, isAsking);
    live = { rows: frame.rows, caret: { row: frame.caret.row, column: Math.min(frame.caret.column, size.columns - 1) } };
    lines = live.rows.slice(0, live.caret.row).map(rowWidth);
    if (frame.commits.length > 0) recent = [...recent, ...frame.commits].slice(-recentRows);
    if (text === '' && !isAnew) return;
    terminal.write((isAnew ? eraseLive(up) : '') + text);
    if (!isAsking || text === '') return;
    sent = {
      ...{ frame, columns: size.columns, lines: stood, caretRow: before.caret.row },
      ...(isAnew ? { up, from: 0 } : { up: before.caret.row - (from ?? 0), from }),
    };
    answerTimer = setTimeout(
      () => {
        unanswered++;
        owed++;
        settle();
      },
      hasAnswered ? answerMs : firstAnswerMs,
    );
  }

  /** The live rows off a terminal that has another size than they were drawn for. Answers how far up they begin. */
  function takeAway(now: Size): number {
    size = now;
    live = nothingLive;
    return Math.min(doesReflow ? heightOf(lines, now.columns) : lines.length, now.rows - 1);
  }

  /** What a frame left behind that met another width: its rows are written again, and what stands there in their place is taken away. */
  function recover({ frame, lines: stood, caretRow, up, from }: Sent, columns: number): void {
    const caretAt = frame.commits.length + frame.caret.row;
    const rows = [...frame.commits, ...frame.rows];
    const widths = rows.map((row, at) => (at < frame.commits.length ? rowWidth(row) : Math.min(rowWidth(row), columns)));
    again = frame.commits;
    recent = recent.slice(0, Math.max(0, recent.length - frame.commits.length));
    if (from === undefined) {
      lines = caretAt >= caretRow ? [...stood, ...widths.slice(caretRow, caretAt)] : stood.slice(0, caretAt - caretRow);
      return;
    }
    // Where it began to write, counted in rows of the terminal from where it should have.
    const landed = heightOf(stood, columns) - up;
    const kept = linesBefore(stood, landed, columns);
    const over = landed < 0 ? takeRecent(-landed, columns) : [];
    lines = [...over, ...kept, ...widths.slice(from, caretAt)];
  }

  /** Rows for good that a frame wrote over, since the terminal got wider: they come again, too. */
  function takeRecent(missing: number, columns: number): number[] {
    let height = 0;
    let count = 0;
    while (height < missing && count < recent.length) height += heightOf([rowWidth(recent[recent.length - ++count] ?? [])], columns);
    again = [...recent.slice(recent.length - count), ...(again ?? [])];
    recent = recent.slice(0, recent.length - count);
    return height > missing ? [(height - missing) * columns] : [];
  }

  function settle(): void {
    clearTimeout(answerTimer);
    sent = undefined;
    if (isDue) drawWhenReady();
  }

  function cancel(): void {
    clearTimeout(timer);
    clearImmediate(immediate);
    timer = immediate = undefined;
  }

  function drawWhenReady(): void {
    cancel();
    if (isPaused) return;
    if (terminal.isReady() && !sent) draw();
    else isDue = true;
  }

  return {
    draw,
    request(isUrgent = false) {
      if (isPaused || isDue || immediate) return;
      const wait = isUrgent ? 0 : drawnAt + frameMs - performance.now();
      if (wait <= 0) {
        clearTimeout(timer);
        timer = undefined;
        immediate = setImmediate(drawWhenReady);
      } else timer ??= setTimeout(drawWhenReady, wait);
    },
    clear() {
      cancel();
      const now = terminal.size();
      terminal.write(eraseLive(takeAway(now)));
      lines = [];
    },
    pause() {
      cancel();
      isPaused = true;
    },
    resume() {
      isPaused = false;
      isDue = false;
      sent = undefined;
      size = terminal.size();
      live = nothingLive;
      lines = [];
      draw();
    },
    onReady() {
      if (isDue) drawWhenReady();
    },
    onWidth(columns) {
      hasAnswered = true;
      unanswered = 0;
      if (owed > 0) return void owed--;
      if (!sent) return;
      if (columns !== sent.columns) {
        recover(sent, columns);
        isDue = true;
      }
      settle();
    },
    close() {
      cancel();
      clearTimeout(answerTimer);
      isPaused = true;
    },
  };
}

/** What is left of lines where the terminal writes over them from one of its rows on. */
function linesBefore(widths: readonly number[], row: number, columns: number): number[] {
  const kept: number[] = [];
  let at = 0;
  for (const width of widths) {
    if (at >= row) break;
    const height = heightOf([width], columns);
    kept.push(at + height <= row ? width : (row - at) * columns);
    at += height;
  }
  return kept;
}
