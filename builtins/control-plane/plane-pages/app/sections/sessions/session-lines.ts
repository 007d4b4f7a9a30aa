// Formats lines of an uploaded chat for display. Pure.
import { isRecord, jsonOf } from '#lib/values';

export interface ShownLine {
  /** Kind of the line, such as `user message`. */
  readonly title: string;
  readonly text: string;
  /** ISO 8601, if the line contains it. */
  readonly at?: string;
}

/** Returns the title and text of a line. Chat events are JSON; any other line is shown unchanged. */
export function shownLine(line: string): ShownLine {
  const event = jsonOf(line);
  if (!isRecord(event)) return { title: 'line', text: line };
  const { type, kind, at, timestamp, text, message, content, id: _, ...rest } = event;
  const name = [type, kind].find(isText);
  const shown = [text, message, content].find(isText);
  const time = [at, timestamp].find(isText);
  return {
    title: (name ?? 'event').replaceAll('_', ' '),
    text: shown ?? (Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2)),
    ...(time === undefined ? {} : { at: time }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
