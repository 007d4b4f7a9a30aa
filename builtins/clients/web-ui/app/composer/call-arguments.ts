// Arguments of a tool call as people read and edit them. Pure.
import type { Approval } from 'agent-harness/client';

export interface ArgumentRow {
  readonly key: string;
  readonly text: string;
  /** The beginning of a long text; left out where all of it is short enough. */
  readonly short?: string;
}

const shownCharacters = 240;
const shownLines = 6;

export function rowsOf(args: unknown): ArgumentRow[] {
  const pairs = isPlainObject(args) ? Object.entries(args) : [['', args] as const];
  return pairs.map(([key, value]) => {
    const text = textOf(value);
    const short = cutText(text);
    return { key, text, ...(short === text ? {} : { short }) };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value));
}

/** The first lines of a text, as far as they are short. */
export function cutText(text: string): string {
  const lines = text.split('\n', shownLines + 1);
  const head = lines.slice(0, shownLines).join('\n');
  if (head.length <= shownCharacters) return lines.length > shownLines ? head : text;
  // Half of a surrogate pair is no character.
  return head.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, '');
}

/** A call in one line. */
export function summaryOf({ preview, args }: Pick<Approval, 'preview' | 'args'>): string {
  const text = preview === undefined ? (JSON.stringify(args) ?? '') : preview.kind === 'command' ? preview.command : preview.path;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

export function writeArguments(args: unknown): string {
  return JSON.stringify(args, null, 2) ?? '{}';
}

/** The edited arguments, or why they are none. */
export function parseArguments(text: string): { readonly args: Record<string, unknown> } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    return { problem: `This is not valid JSON: ${fault instanceof Error ? fault.message : String(fault)}.` };
  }
  return isPlainObject(value) ? { args: value } : { problem: 'The arguments must be a JSON object: { "name": value }.' };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
