// Truncates a tool's output to the limit, and saves the full output as an artifact.
import { countWithNoun, textStart } from '#lib/text';
import type { ToolOutcome } from './contract.ts';

/** Maximum length of an output in UTF-16 code units, including the line about the omitted rest. */
export const outputLimit = 48_000;

/** Truncates the output. Never rejects; if the artifact cannot be saved, the output states this. */
export async function capOutcome(outcome: ToolOutcome, reader: () => string | undefined, save: (text: string) => Promise<string>): Promise<ToolOutcome> {
  const { text, artifactId } = await capText(outcome.ok ? outcome.output : outcome.error, reader, save);
  const kept = artifactId === undefined ? {} : { artifactId };
  return outcome.ok ? { ...outcome, output: text, ...kept } : { ...outcome, error: text, ...kept };
}

async function capText(
  text: string,
  reader: () => string | undefined,
  save: (text: string) => Promise<string>,
): Promise<{ text: string; artifactId?: string }> {
  if (text.length <= outputLimit) return { text };
  const artifactId = await save(text).catch(() => undefined);
  const room = outputLimit - closingLine(text.length, artifactId, reader()).length;
  const kept = textStart(text, room);
  return { text: kept + closingLine(text.length - kept.length, artifactId, reader()), ...(artifactId === undefined ? {} : { artifactId }) };
}

function closingLine(leftOut: number, artifactId: string | undefined, reader: string | undefined): string {
  if (artifactId === undefined) return `\n[${countWithNoun(leftOut, 'character')} omitted; the full text could not be saved]`;
  if (reader === undefined) return `\n[${countWithNoun(leftOut, 'character')} omitted; the full text is artifact "${artifactId}", which the user can open]`;
  return `\n[${countWithNoun(leftOut, 'character')} omitted; full text: ${reader} with id "${artifactId}"; startLine and endLine for a part]`;
}
