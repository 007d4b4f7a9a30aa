// Parses the argument text of a tool call. Reports errors instead of guessing the intended value.
import { messageOf } from '#lib/errors';
import { wellFormedJson } from '#lib/json-text';
import { textPart } from '#lib/text';

export type ParsedArgs = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string; readonly hint: string };

/** Parses the text. Blanks and `null` mean that there are no arguments; empty text means that the call was truncated after its name. */
export function parseArgs(argsText: string): ParsedArgs {
  const text = argsText.trim();
  if (argsText === '')
    return { ok: false, error: 'The arguments are missing (cut off), so the call was not run.', hint: 'Send the call again with its arguments.' };
  if (text === '') return { ok: true, value: {} };
  try {
    return { ok: true, value: parseWellFormed(text) ?? {} };
  } catch (fault) {
    return explain(text, messageOf(fault));
  }
}

/** Parses JSON text in the arguments; returns `undefined` for any other text. */
export function readJson(text: string): unknown {
  try {
    return parseWellFormed(text);
  } catch {
    return undefined;
  }
}

/** Replaces unpaired surrogates in keys and strings with U+FFFD, because providers reject requests that contain one. */
function parseWellFormed(text: string): unknown {
  return JSON.parse(wellFormedJson(text));
}

function explain(text: string, message: string): ParsedArgs {
  const position = positionIn(message);
  if (/Unexpected end|Unterminated/.test(message) || (position !== undefined && position >= text.length)) {
    return {
      ok: false,
      error: `The arguments are cut off: the JSON is incomplete after ${text.length} characters.`,
      hint: 'Send the call again with complete JSON. Split very long values over several calls.',
    };
  }
  if (/after JSON/.test(message) && position !== undefined) {
    return {
      ok: false,
      error: `The arguments are one JSON object followed by more text at character ${position}: ${excerpt(text, position)}`,
      hint: 'Send exactly one JSON object and nothing after it.',
    };
  }
  if (/control character/.test(message)) {
    return {
      ok: false,
      error: `The arguments are not valid JSON: raw line break or control character inside a string${near(text, position)}.`,
      hint: 'Write line breaks in strings as \\n and tabs as \\t.',
    };
  }
  return {
    ok: false,
    error: `The arguments are not valid JSON${near(text, position)}.`,
    hint: 'Send one JSON object with double-quoted names and strings, and no comments.',
  };
}

function positionIn(message: string): number | undefined {
  const found = /position (\d+)/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

function near(text: string, position: number | undefined): string {
  return position === undefined ? '' : `, at character ${position}: ${excerpt(text, Math.max(0, position - 20))}`;
}

function excerpt(text: string, from: number): string {
  return JSON.stringify(textPart(text, from, from + 60));
}
