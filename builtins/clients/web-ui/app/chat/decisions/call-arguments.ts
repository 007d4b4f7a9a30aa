// Formats the arguments of a tool call for reading and editing. Pure.
import type { Approval } from 'agent-harness/client';
import { isRecord } from '#lib/values';

export interface ArgumentRow {
  readonly key: string;
  readonly text: string;
}

/** @param shown arguments that are shown elsewhere and are not repeated */
export function rowsOf(args: unknown, shown: readonly string[] = []): ArgumentRow[] {
  const pairs = isRecord(args) ? Object.entries(args) : [['', args] as const];
  const rest = pairs.filter(([, value]) => !(typeof value === 'string' && shown.includes(value)));
  return rest.map(([key, value]) => ({ key, text: textOf(value) }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value));
}

/** Formats a call as one line. */
export function summaryOf({ preview, args }: Pick<Approval, 'preview' | 'args'>): string {
  const text = preview === undefined ? (JSON.stringify(args) ?? '') : preview.kind === 'command' ? preview.command : preview.path;
  // Other white space remains, because the component makes it visible.
  const line = text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
