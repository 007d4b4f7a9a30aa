// Builds the reference text that replaces an output or argument. Deterministic, so that repeated requests are equal. Pure.
import { countWithNoun, textEnd, textStart } from '#lib/text';

const shownLines = 5;
const lineLimit = 160;

/**
 * Keeps the first and the last lines, including the delimiters of external content.
 * @param artifactId id of the artifact with the full text
 */
export function pointerText(body: string, artifactId: string): string {
  const lines = body.split('\n');
  const size = `${body.length} characters in ${countWithNoun(lines.length, 'line')}`;
  const note = `[${size}, moved to artifact "${artifactId}" to save space. Full text: read_artifact; startLine and endLine for a part. First and last lines:]`;
  const head = lines.slice(0, shownLines).map(cutEnd);
  const tail = lines.slice(Math.max(shownLines, lines.length - shownLines)).map(cutStart);
  return [note, ...head, '[…]', ...tail].join('\n');
}

/** Returns the reference that replaces one long text in a call's arguments. */
export function argumentPointer(text: string, artifactId: string): string {
  return `[${text.length} characters moved to artifact "${artifactId}". This is a pointer; never pass it as an argument.]`;
}

function cutEnd(line: string): string {
  return line.length <= lineLimit ? line : `${textStart(line, lineLimit)}…`;
}

function cutStart(line: string): string {
  return line.length <= lineLimit ? line : `…${textEnd(line, lineLimit)}`;
}
