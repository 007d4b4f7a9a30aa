// Draws frames: each in one write, at most 30 per second, only after a change, and only after the terminal has consumed the previous frame.
import { drawFrame, eraseLive, heightOf, nothingLive, type Frame, type Live } from './frame.ts';
import { linesBefore, linesInPlace } from './landed.ts';
import { rowWidth } from './measure.ts';
import type { Row } from './spans.ts';
import type { Size, Terminal } from './terminal.ts';

export interface ScreenOptions {
  readonly terminal: Terminal;
  /** Returns the frame to draw. Called only if the frame will be written, because its commits are written once and cannot be changed later. */
  readonly compose: (size: Size) => Frame;
  readonly hasColor: boolean;
  /** Whether the terminal rewraps its lines when it gets narrower, as nearly all terminals do. */
  readonly doesReflow: boolean;
}

export interface Screen {
  /** Schedules a frame. @param isUrgent whether the user typed and waits for the frame */
  request(isUrgent?: boolean): void;
  /** Draws immediately, even if the terminal has not consumed the previous frame. */
  draw(): void;
  /** Removes the live rows and moves the cursor to their start. */
  clear(): void;
  /** Draws nothing until {@link Screen.resume}. */
  pause(): void;
  resume(): void;
  /** Called when the terminal has consumed all output. */
  onReady(): void;
  /** Called when the terminal reports that it processed the last frame at this width. */
  onWidth(columns: number): void;
  close(): void;
}

/** A frame for which the terminal has not reported its width yet. */
interface Sent {
  readonly frame: Frame;
  readonly columns: number;
  /** Widths of the lines above the caret before the frame. */
  readonly lines: readonly number[];
  readonly before: Live;
  /** Number of rows between the caret and the first written row. */
  readonly up: number;
  /** First rewritten row; `undefined` if rows were changed in place. */
  readonly from: number | undefined;
}

/** Rows that must be rewritten. */
interface Again {
  /** Permanent rows that are missing from the terminal. */
  readonly lost: readonly Row[];
  /** Permanent rows in the wrong position. */
  readonly misplaced: readonly Row[];
  /** Index of the first misplaced row among the lines above the caret. */
  readonly at: number;
}

const frameMs = 33;
/** Maximum wait for a terminal's first width report, which may never arrive, in milliseconds. */
const firstAnswerMs = 400;
/** Maximum wait for a terminal that has reported its width before, in milliseconds. It may be busy or remote, and process the frame at another width. */
const answerMs = 10_000;
const patience = 3;
/** Maximum number of permanent rows that can be rewritten. */
const recentRows = 60;

/**
 * Creates the screen. The user may resize the terminal while a frame is in transit; the terminal then rewraps the old rows before it processes the frame, and
 * the changes affect the wrong rows. Therefore each frame requests the width at which it is processed, the next frame waits for the reply, and a frame that was
 * processed at another width is repaired.
 */
export function createScreen({ terminal, compose, hasColor, doesReflow }: ScreenOptions): Screen {
  let live: Live = nothingLive;
  /** Widths of the live lines above the caret. */
  let lines: readonly number[] = [];
  let size = terminal.size();
  let drawnAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let immediate: ReturnType<typeof setImmediate> | undefined;
  let answerTimer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let isPaused = false;
  let sent: Sent | undefined;
  let again: Again | undefined;
  /** Newest permanent rows. */
  let recent: readonly Row[] = [];
  let unanswered = 0;
  let hasAnswered = false;
  /** Number of expected replies to frames that are no longer awaited; these replies arrive first. */
  let owed = 0;

  function draw(): void {
    cancel();
    isDue = false;
    drawnAt = performance.now();
    const now = terminal.size();
    const isAnew = now.columns !== size.columns || now.rows !== size.rows || again !== undefined;
    const before = live;
    const stood = lines;
    const rewritten = again ? [...again.lost, ...again.misplaced.slice(outOfReach(again, now))] : [];
    again = undefined;
    const up = isAnew ? takeAway(now) : 0;
    const composed = compose(now);
    const frame: Frame = rewritten.length > 0 ? { ...composed, commits: [...rewritten, ...composed.commits] } : composed;
    const isAsking = unanswered < patience;
    const { text, from } = drawFrame(live, frame, size.columns, hasColor, isAsking);
    live = { rows: frame.rows, caret: { row: frame.caret.row, column: Math.min(frame.caret.column, size.columns - 1) } };
    lines = live.rows.slice(0, live.caret.row).map(rowWidth);
    if (frame.commits.length > 0) recent = [...recent, ...frame.commits].slice(-recentRows);
    if (text === '' && !isAnew) return;
    terminal.write((isAnew ? eraseLive(up) : '') + text);
    if (!isAsking || text === '') return;
    sent = {
      ...{ frame, columns: size.columns, lines: stood, before },
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

  /** Removes the live rows after a resize. Returns the number of rows from their start to the caret. */
  function takeAway(now: Size): number {
    size = now;
    live = nothingLive;
    return Math.min(heightIn(now), now.rows - 1);
  }

  /** Returns the height of the lines above the caret. */
  function heightIn({ columns }: Size, widths = lines): number {
    return doesReflow ? heightOf(widths, columns) : widths.length;
  }

  /** Returns the number of misplaced rows that scrolled off the top. They cannot be removed, so they are not written again. */
  function outOfReach({ misplaced, at }: Again, now: Size): number {
    const gone = heightIn(now) - (now.rows - 1);
    let count = 0;
    while (count < misplaced.length && heightIn(now, lines.slice(0, at + count + 1)) <= gone) count++;
    return count;
  }

  /** Repairs a frame that was processed at another width: rewrites its rows, and removes the rows in their place. */
  function recover({ frame, lines: stood, before, up, from }: Sent, columns: number): void {
    const caretAt = frame.commits.length + frame.caret.row;
    const rows = [...frame.commits, ...frame.rows];
    const widths = rows.map((row, at) => (at < frame.commits.length ? rowWidth(row) : Math.min(rowWidth(row), columns)));
    // First written terminal row, relative to the start of the lines above the caret.
    const landed = heightOf(stood, columns) - up;
    if (landed === (from === undefined ? 0 : heightOf(stood.slice(0, from), columns))) {
      // Only the live rows, which the terminal may have truncated, need repair.
      again = { lost: [], misplaced: [], at: 0 };
      lines = widths.slice(frame.commits.length, caretAt);
      return;
    }
    if (from === undefined) {
      lines = linesInPlace(before, stood, frame, columns);
      misplace([], frame.commits, 0);
      return;
    }
    const kept = linesBefore(stood, landed, columns);
    const { lost, over } = landed < 0 ? takeRecent(-landed, columns, frame.commits.length) : { lost: [], over: [] };
    lines = [...over, ...kept, ...widths.slice(from, caretAt)];
    misplace(lost, frame.commits, over.length + kept.length - from);
  }

  function misplace(lost: readonly Row[], misplaced: readonly Row[], at: number): void {
    recent = recent.slice(0, Math.max(0, recent.length - lost.length - misplaced.length));
    again = { lost, misplaced, at };
  }

  /** Restores permanent rows that a frame overwrote because the terminal became wider. @param after number of newer rows that the frame itself wrote */
  function takeRecent(missing: number, columns: number, after: number): { readonly lost: readonly Row[]; readonly over: readonly number[] } {
    const older = recent.slice(0, Math.max(0, recent.length - after));
    let height = 0;
    let count = 0;
    while (height < missing && count < older.length) height += heightOf([rowWidth(older[older.length - ++count] ?? [])], columns);
    return { lost: older.slice(older.length - count), over: height > missing ? [(height - missing) * columns] : [] };
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
