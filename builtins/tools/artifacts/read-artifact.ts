// Implements the tool `read_artifact`: returns a range of lines that fits into one result.
import { countWithNoun, splitText } from '#lib/text';
import type { Artifacts, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { decodeText } from './decode-text.ts';

export interface ReadArtifactArgs {
  readonly id: string;
  readonly startLine?: number;
  readonly endLine?: number;
}

/** Maximum length of a result in UTF-16 code units; below the limit of all tools, so that no result becomes an artifact itself. */
const answerLimit = 40_000;
const lineLimit = 4_000;

export function createReadArtifact(services: { readonly artifacts: Artifacts }): (args: ReadArtifactArgs, context: ToolContext) => Promise<ToolOutcome> {
  return async ({ id, startLine = 1, endLine = Number.MAX_SAFE_INTEGER }, { chatId }) => {
    const bytes = await services.artifacts.read(chatId, id);
    if (!bytes) return { ok: false, error: `This chat has no artifact '${id}'.`, hint: 'Use the exact id from the end of the shortened text.' };
    const text = decodeText(bytes);
    if (text === undefined)
      return {
        ok: false,
        error: `The artifact is not text (${bytes.byteLength} bytes).`,
        hint: 'The user can open it; it cannot be shown here.',
      };
    const lines = text.split('\n').flatMap(splitLong);
    if (startLine > lines.length) return { ok: false, error: `The artifact has ${countWithNoun(lines.length, 'line')}; there is no line ${startLine}.` };
    if (endLine < startLine) return { ok: false, error: `endLine ${endLine} is before startLine ${startLine}.` };
    const isOwn = await services.artifacts.isOwn(chatId, id);
    return { ok: true, output: showRange(lines, startLine, Math.min(endLine, lines.length)), ...(isOwn ? {} : { isUntrusted: true }) };
  };
}

function showRange(lines: readonly string[], first: number, wanted: number): string {
  let last = first - 1;
  for (let length = 0; last < wanted; last++) {
    length += (lines[last]?.length ?? 0) + 1;
    if (length > answerLimit) break;
  }
  const more = last < lines.length ? `; next: startLine ${last + 1}` : '';
  return `[lines ${first} to ${last} of ${lines.length}${more}]\n${lines.slice(first - 1, last).join('\n')}`;
}

function splitLong(line: string): string[] {
  return line.length <= lineLimit ? [line] : splitText(line, lineLimit);
}
