// Parses front matter: YAML between two lines of hyphens at the beginning of a text.
import { parse } from 'yaml';

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const longest = 16 * 1024;

/** Parses the front matter of a text. If it cannot be read, returns the reason, worded to complete a sentence. Line endings must be line feeds. */
export function readFrontMatter(
  text: string,
): FrontMatter | 'has no front matter' | 'has front matter without an end' | 'has front matter that is not valid YAML' {
  const start = /^\uFEFF?---[ \t]*\n/.exec(text)?.[0].length;
  if (start === undefined) return 'has no front matter';
  const end = /^---[ \t]*$/m.exec(text.slice(start, start + longest));
  if (!end) return 'has front matter without an end';
  try {
    const fields: unknown = parse(text.slice(start, start + end.index), { maxAliasCount: 20, prettyErrors: false, logLevel: 'error' });
    const body = text.slice(start + end.index + end[0].length).replace(/^\n/, '');
    return { fields: typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? (fields as Record<string, unknown>) : {}, body };
  } catch {
    return 'has front matter that is not valid YAML';
  }
}
