// Draws frames: one write each, at most 30 per second, only after a change, and only after the terminal consumed the previous one.
import { drawFrame, eraseLive, heightOf, nothingLive, type Frame, type Live } from './frame.ts';
import { linesBefore, linesInPlace } from './landed.ts';
import { rowWidth } from './measure.ts';
import type { Row } from './spans.ts';
import type { Size, Terminal } from './terminal.ts';

export interface ScreenOptions {
  readonly terminal: Terminal;
  /** Returns what to show. What it returns as commits is written once and permanently, so it is called only when the result will be written. */
  readonly compose: (size: Size) => Frame;
  readonly hasColor: boolean;
  /** Whether the terminal rewraps its lines when it gets narrower; nearly all do. */
  readonly doesReflow: boolean;
}

export interface Screen {
  /** Draws soon. @param isUrgent the user typed and waits for it */
  request(isUrgent?: boolean): void;
  /** Draws at once, also when the terminal is behind. */
  draw(): void;
  /** Removes the live rows; the cursor is then where they began. */
  clear(): void;
  /** Draws nothing until {@link Screen.resume}. */
  pause(): void;
  resume(): void;
  /** The terminal has taken everything that was written. */
  onReady(): void;
  /** The terminal processed the last frame, at this width. */
  onWidth(columns: number): void;
  close(): void;
}

/** A frame for which the terminal's width at the time of processing is not known yet. */
interface Sent {
  readonly frame: Frame;
  readonly columns: number;
  /** Widths of the lines above the caret before it, down from where it would have begun. */
  readonly lines: readonly number[];
  readonly before: Live;
  /** Number of rows it moved up to where it began to write. */
  readonly up: number;
  /** The row from which everything was rewritten; `undefined` when rows were changed in place. */
  readonly from: number | undefined;
}

/** What has to be written again. */
interface Again {
  /** Permanent rows that are no longer in the terminal. */
  readonly lost: readonly Row[];
  /** Permanent rows that are in a wrong place. */
  readonly misplaced: readonly Row[];
  /** Index of the first of these among the lines above the caret. */
  readonly at: number;
}

const frameMs = 33;
/** How long to wait for the terminal to report its width while it is not known whether it ever does. */
const firstAnswerMs = 400;
/** A terminal that did before is busy or remote: it shows nothing until it answers, and a frame that it processes late may meet another width. */
const answerMs = 10_000;
const patience = 3;
/** Number of permanent rows that may have to be written again. */
const recentRows = 60;

/**
 * The user may resize at any moment, also while a frame is under way: then the terminal has rewrapped the old rows before it processes
 * the frame, and what was meant for one row hits another. So each frame asks for the terminal's width at that point, the next one waits
 * for the answer, and a frame that met another width than it was made for is written again.
 */
export function createScreen({ terminal, compose, hasColor, doesReflow }: ScreenOptions): Screen {
  let live: Live = nothingLive;
  /** Widths of the terminal lines above the caret that are not permanent. */
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
  /** The newest permanent rows. */
  let recent: readonly Row[] = [];
  let unanswered = 0;
  let hasAnswered = false;
  /** Number of answers to frames that are no longer waited for: they come first. */
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

  /** Removes the live rows from a terminal whose size has changed since they were drawn. Returns how far up they begin. */
  function takeAway(now: Size): number {
    size = now;
    live = nothingLive;
    return Math.min(heightIn(now), now.rows - 1);
  }

  /** The height of the lines above the caret. */
  function heightIn({ columns }: Size, widths = lines): number {
    return doesReflow ? heightOf(widths, columns) : widths.length;
  }

  /** How many of the misplaced rows have scrolled off the top: they cannot be removed, so they are not written again. */
  function outOfReach({ misplaced, at }: Again, now: Size): number {
    const gone = heightIn(now) - (now.rows - 1);
    let count = 0;
    while (count < misplaced.length && heightIn(now, lines.slice(0, at + count + 1)) <= gone) count++;
    return count;
  }

  /** Recovers from a frame that met another width: its rows are written again, and what is in their place is removed. */
  function recover({ frame, lines: stood, before, up, from }: Sent, columns: number): void {
    const caretAt = frame.commits.length + frame.caret.row;
    const rows = [...frame.commits, ...frame.rows];
    const widths = rows.map((row, at) => (at < frame.commits.length ? rowWidth(row) : Math.min(rowWidth(row), columns)));
    // Where it began to write, in terminal rows from where the lines above the caret began.
    const landed = heightOf(stood, columns) - up;
    if (landed === (from === undefined ? 0 : heightOf(stood.slice(0, from), columns))) {
      // Nothing to repair but the live rows, which the terminal may have cut.
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

  /** Permanent rows that a frame overwrote because the terminal got wider: they are written again too. @param after how many newer ones are the frame's own */
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
