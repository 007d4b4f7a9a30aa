// Renders changes in a chat as terminal lines.
import { makeSafe } from '#lib/terminal';
import { oneLine } from '#lib/text';
import {
  answerLabel,
  authorText,
  callText,
  createQuietView,
  decisionText,
  durationText,
  outputText,
  isTrace,
  outcomeOf,
  retryText,
  unqueuedText,
  viewOfResult,
  viewOfTask,
  type AnnouncementEntry,
  type Entry,
  type NoteEntry,
  type ToolEntry,
  type Transcript,
  type UserEntry,
} from 'agent-harness/transcript';
import type { View } from 'agent-harness/view';
import { signs, type LineMarks } from './line-marks.ts';
import type { Paint } from './paint.ts';
import { paintedView } from './view-lines.ts';

/** Width of a rendered view, in columns. */
const viewColumns = 100;
/** Maximum number of lines of a diff. Screen readers get a summary, and `/view changes` shows all lines. */
const diffLines = { drawn: 16, told: 1 };
/** Maximum number of listed calls of a finished task. */
const taskCalls = 5;

export interface Screen {
  /** Prints text that the agent streams. */
  text(delta: string): void;
  /** Prints a complete line about an event. */
  note(line: string): void;
  /** Whether text and notes share one output; a note must then begin on a new line. */
  readonly isShared: boolean;
}

export interface RendererOptions {
  /** Whether to omit traces, and the arguments and progress of calls. */
  readonly isQuiet?: boolean;
  /** Prefixes of the lines; default: {@link signs}. */
  readonly marks?: LineMarks;
  /** Returns whether a message was sent from another client and must therefore be shown. */
  isForeign?(message: UserEntry): boolean;
}

export interface Renderer {
  /** Renders the change caused by one event. */
  show(before: Transcript, now: Transcript): void;
  note(line: string): void;
  /** Ends an unfinished line of agent text. */
  endLine(): void;
}

export function createRenderer(screen: Screen, paint: Paint, { isQuiet = false, marks = signs, isForeign = () => false }: RendererOptions = {}): Renderer {
  const quieten = createQuietView();
  let isLineOpen = false;
  let lastId: string | undefined;

  function endLine(): void {
    if (isLineOpen) screen.text('\n');
    isLineOpen = false;
  }

  function note(line: string): void {
    if (screen.isShared) endLine();
    screen.note(line);
  }

  function write(text: string): void {
    if (text === '') return;
    screen.text(makeSafe(text));
    isLineOpen = !text.endsWith('\n');
  }

  function showEntry(entry: Entry, old: Entry | undefined, now: Transcript): void {
    switch (entry.kind) {
      case 'user':
        if (!old && isForeign(entry)) note(paint.dim(messageLine(entry, marks)));
        return;
      case 'assistant':
        if (entry.text === '' || entry.text === textOf(old)) return;
        if (entry.id !== lastId) {
          endLine();
          write(marks.agent);
        }
        lastId = entry.id;
        return write(newPart(entry.text, textOf(old)));
      case 'announcement':
        if (!old) note(isTrace(entry) ? paint.dim(marks.trace(announcementLine(entry, signs))) : announcementLine(entry, marks));
        return;
      case 'tool':
        for (const line of callLines(entry, old?.kind === 'tool' ? old : undefined, paint, marks, isQuiet)) note(line);
        return;
      default:
        if (isTrace(entry)) return note(paint.dim(marks.trace(oneLine(newPart(entry.text, textOf(old)), 200))));
        if (!old) for (const line of noteLines(entry, now, paint, marks)) note(line);
    }
  }

  /** If a turn has no text, its last tool result is its output. */
  function showEnd(now: Transcript, turnId: string): void {
    const outcome = outcomeOf(now, turnId);
    if (outcome?.reason === 'done' && outcome.result?.ok === true) write(outcome.result.output ?? '');
    endLine();
  }

  return {
    note,
    endLine,
    show(before, now) {
      const changed = now.entries.filter((entry, at) => entry !== before.entries[at]);
      for (const entry of isQuiet ? quieten(changed) : changed) {
        const old = before.entries.find(({ id }) => id === entry.id);
        showEntry(entry, old, now);
      }
      const { retry, turnId } = now.running ?? {};
      if (retry && retry !== before.running?.retry) {
        // Text of the failed attempt is discarded.
        endLine();
        note(paint.yellow(marks.retry(oneLine(retryText(retry, Date.now()), 300))));
      }
      if (before.running && before.running.turnId !== turnId) showEnd(now, before.running.turnId);
    },
  };
}

/** Formats a message of another author as one line. */
function messageLine(entry: UserEntry, marks: LineMarks): string {
  return marks.message(oneLine(entry.text, 300), authorText(entry));
}

const announcementLine = (entry: AnnouncementEntry, marks: LineMarks): string => marks.announcement(makeSafe(entry.text), authorText(entry));

/** Formats `[deadlines: It is due today.] ` before a plugin's message, and `[Ada] ` before another person's. */
export function authorMark(entry: Pick<UserEntry, 'origin' | 'saidBy' | 'liveDictation'>): string {
  const author = authorText(entry);
  return author === undefined ? '' : `[${oneLine(author, 300)}] `;
}

function textOf(entry: Entry | undefined): string {
  return entry === undefined || entry.kind === 'tool' ? '' : entry.text;
}

/** Returns the text to append. Printed text cannot be changed, so a restarted text is appended as well. */
function newPart(text: string, old: string): string {
  return text.startsWith(old) ? text.slice(old.length) : `\n${text}`;
}

function callLines(entry: ToolEntry, old: ToolEntry | undefined, paint: Paint, marks: LineMarks, isQuiet: boolean): string[] {
  const { state, progress, task, ok, durationMs, decision, answer = '', answeredBy } = entry;
  const name = oneLine(entry.name, 64);
  const lines: string[] = [];
  const isComplete = state === 'queued' || state === 'waiting' || state === 'running';
  if (isComplete && (old?.state ?? 'writing') === 'writing') lines.push(paint.dim(marks.toolBegins(name, oneLine(callText(entry), 120))));
  // Shows decisions by other people, but not the user's own.
  if (decision?.saidBy !== undefined && decision !== old?.decision) lines.push(paint.dim(marks.decided(oneLine(decisionText(decision), 300))));
  if (answeredBy !== undefined && old?.answeredBy === undefined) lines.push(paint.dim(marks.decided(oneLine(`${answerLabel(entry)} ${answer}`, 300))));
  if (progress.length > 0 && progress !== old?.progress) lines.push(paint.dim(marks.toolSays(name, oneLine(progress.at(-1) ?? '', 100))));
  if (task && !old?.task) lines.push(paint.dim(marks.helperBegins(oneLine(task.goal, 100))));
  if (ok === true && old?.ok === undefined) lines.push(paint.dim(marks.toolEnds(name, durationMs === undefined ? '' : durationText(durationMs))));
  if (ok === true && old?.ok === undefined) lines.push(...cardLines(entry, paint, marks, isQuiet));
  if (ok === false && old?.ok === undefined) {
    const why = outputText(entry) ?? (decision ? decisionText(decision) : '');
    lines.push(paint.red(marks.toolFails(name, oneLine(why, 200))));
  }
  return lines;
}

/** Returns the parts of a call's result besides its output; in quiet mode, only the view of its tool. */
function cardLines(entry: ToolEntry, paint: Paint, { isDrawn }: LineMarks, isQuiet: boolean): string[] {
  const draw = (view: View): string[] => (view.blocks.length === 0 ? [] : paintedView(view, { columns: viewColumns, isDrawn }, paint));
  if (entry.view) return draw(entry.view);
  if (isQuiet) return [];
  const task = viewOfTask(entry, { calls: taskCalls, isBrief: true });
  const result = viewOfResult(entry);
  const lines = result ? draw(result) : [];
  const most = isDrawn ? diffLines.drawn : diffLines.told;
  const left = lines.length - most;
  return [...(task ? draw(task) : []), ...lines.slice(0, most), ...(left > 0 && isDrawn ? [paint.dim(`… ${left} more ${left === 1 ? 'line' : 'lines'}`)] : [])];
}

function noteLines({ kind, text, turnId }: NoteEntry, { entries }: Transcript, paint: Paint, marks: LineMarks): string[] {
  const line = oneLine(text, 500);
  if (kind === 'error') return [paint.red(marks.ending(line))];
  // The terminal has no input field in which the message could be restored.
  const message = text === unqueuedText ? entries.find((entry): entry is UserEntry => entry.kind === 'user' && entry.turnId === turnId) : undefined;
  return [paint.yellow(marks.note(line)), ...(message ? [paint.dim(messageLine(message, marks))] : [])];
}
