// Events of a turn as terminal lines.
import type { ClientEvent } from './http-client.ts';
import type { Paint } from './paint.ts';
import { describeArgs, makeSafe, oneLine } from './safe-text.ts';

export interface Screen {
  /** What the agent says, as it streams. */
  text(delta: string): void;
  /** A whole line about what happens. */
  note(line: string): void;
  /** Whether text and notes appear in the same place, so that a note needs a fresh line. */
  readonly isShared: boolean;
}

export interface Renderer {
  readonly show: (event: ClientEvent) => void;
  note(line: string): void;
  /** Ends a line that the agent's text left open. */
  endLine(): void;
}

/** @param isQuiet leaves out traces, and arguments and progress of calls */
export function createRenderer(screen: Screen, paint: Paint, isQuiet = false): Renderer {
  /** Characters shown so far by message and channel, so that what a reconnect repeats is not shown twice. */
  const shown = new Map<string, number>();
  let isLineOpen = false;
  let lastMessage: unknown;
  /** Of a turn in which nobody says anything, the last result is what it was for. */
  let unsaid: string | undefined;

  function endLine(): void {
    if (isLineOpen) screen.text('\n');
    isLineOpen = false;
  }

  function note(line: string): void {
    if (screen.isShared) endLine();
    screen.note(line);
  }

  function showText(event: ClientEvent): void {
    const { messageId, channel } = event;
    const fresh = unseen(event);
    if (fresh === '' || channel === 'reasoning') return;
    if (channel === 'trace') return isQuiet ? undefined : note(paint.dim(`· ${oneLine(fresh, 200)}`));
    if (messageId !== lastMessage) endLine();
    lastMessage = messageId;
    unsaid = undefined;
    write(fresh);
  }

  function write(text: string): void {
    screen.text(makeSafe(text));
    isLineOpen = !text.endsWith('\n');
  }

  function unseen({ messageId, channel, offset, delta }: ClientEvent): string {
    const key = `${String(messageId)} ${String(channel)}`;
    const text = textOf(delta);
    const start = typeof offset === 'number' ? offset : (shown.get(key) ?? 0);
    const seen = Math.max(0, (shown.get(key) ?? 0) - start);
    shown.set(key, Math.max(shown.get(key) ?? 0, start + text.length));
    return text.slice(seen);
  }

  return {
    note,
    endLine,
    show(event) {
      if (event.kind === 'text') return showText(event);
      // What a failed attempt streamed is void: the next one begins at the start again.
      if (event.kind === 'provider_retry') shown.clear();
      if (event.kind === 'tool_result') unsaid = event['ok'] === true ? textOf(event['output']) : undefined;
      if (event.kind === 'turn_end') {
        if (unsaid !== undefined && unsaid !== '' && event['reason'] === 'done') write(unsaid);
        unsaid = undefined;
        endLine();
      }
      const line =
        isQuiet && event.kind === 'tool_progress' ? undefined : lineOf(isQuiet && event['args'] !== undefined ? { ...event, args: {} } : event, paint);
      if (line !== undefined) note(line);
    },
  };
}

/** The line for an event that is worth one. */
function lineOf(event: ClientEvent, paint: Paint): string | undefined {
  const name = oneLine(textOf(event['name']), 64);
  switch (event.kind) {
    case 'tool_start':
      // The first one says only that the model begins to write the call.
      return event['args'] === undefined ? undefined : paint.dim(`→ ${name} ${describeArgs(event['args'])}`.trimEnd());
    case 'tool_progress':
      return paint.dim(`  ${oneLine(textOf(event['note']))}`);
    case 'tool_result':
      return resultLine(event, name, paint);
    case 'subtask_start':
      return paint.dim(`⇢ task: ${oneLine(textOf(event['goal']))}`);
    case 'provider_retry':
      return paint.yellow(`… attempt ${textOf(event['attempt'])} of ${textOf(event['of'])} failed: ${oneLine(textOf(event['reason']))}`);
    case 'error':
      return paint.red(`! ${oneLine(textOf(event['message']), 300)}`);
    case 'turn_end':
      return endingLine(event, paint);
    default:
      return undefined;
  }
}

function resultLine({ ok, output, durationMs }: ClientEvent, name: string, paint: Paint): string {
  if (ok === true) return paint.dim(`✓ ${name} ${typeof durationMs === 'number' ? Math.round(durationMs) : '?'} ms`);
  return paint.red(`✗ ${name}: ${oneLine(textOf(output), 200)}`);
}

const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped.',
  error: 'The turn failed.',
  round_limit: 'The turn reached its limit of rounds or time; what was done so far is kept.',
  interrupted: 'The turn was interrupted.',
  budget: 'The budget is used up.',
};

function endingLine({ reason, error }: ClientEvent, paint: Paint): string | undefined {
  if (reason === 'done') return undefined;
  const message = typeof error === 'object' && error !== null && 'message' in error ? oneLine(textOf(error.message), 500) : undefined;
  return paint.red(message ?? endings[textOf(reason)] ?? textOf(reason));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
