// Parses the text of a vault note: front matter, title, headings, tags, links.
import { messageOf } from '#lib/errors';
import { firstLine } from '#lib/text';
import { parse, stringify } from 'yaml';

export interface WikiLink {
  /** Target as written: `folder/Note` or `Note`; empty for a heading in the same note. */
  readonly target: string;
  /** Text after `#`. */
  readonly heading?: string;
  /** Text after `|`. */
  readonly alias?: string;
}

export interface ParsedNote {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Sentence that states why the front matter is invalid; the note is then read without it. */
  readonly fault?: string;
  readonly body: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly links: readonly WikiLink[];
}

/** Maximum length of front matter in characters; longer front matter is ignored. */
const maxFrontMatter = 64 * 1024;
const linkPattern = /\[\[([^[\]\r\n|#]*)(?:#([^[\]\r\n|]*))?(?:\|([^[\]\r\n]*))?\]\]/g;
const tagPattern = /(?:^|[\s(])#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu;

/** @param path path from which the title is derived if the note has none */
export function parseNote(text: string, path: string): ParsedNote {
  const { frontMatter, fault, body } = splitFrontMatter(text);
  const prose = withoutCode(body);
  const headings = [...prose.matchAll(/^ {0,3}#{1,6}[ \t]+(.+)$/gm)].map((match) => (match[1] ?? '').replace(/[ \t]+#*[ \t]*$/, '').trim());
  const firstHeading = /^ {0,3}#[ \t]+(.+)$/m.exec(prose)?.[1]?.trim();
  const named = frontMatter['title'];
  return {
    frontMatter,
    ...(fault === undefined ? {} : { fault }),
    body,
    title: typeof named === 'string' && named.trim() !== '' ? named.trim() : (firstHeading ?? stemOf(path)),
    headings,
    tags: [...new Set([...listOf(frontMatter['tags']), ...[...prose.matchAll(tagPattern)].map((match) => match[1] ?? '')])],
    aliases: listOf(frontMatter['aliases']),
    links: linksOf(prose),
  };
}

/** Finds links in prose; links in code are examples and are ignored. */
export function findLinks(text: string): WikiLink[] {
  return linksOf(withoutCode(text));
}

/** Converts links to missing notes to plain text. */
export function unlink(text: string, isBroken: (link: WikiLink) => boolean): string {
  return text.replace(linkPattern, (whole, target: string, heading?: string, alias?: string) => {
    const link = toLink(target, heading, alias);
    return isBroken(link) ? (link.alias ?? (link.target || link.heading) ?? '') : whole;
  });
}

export function splitFrontMatter(text: string): { frontMatter: Record<string, unknown>; fault?: string; body: string } {
  const clean = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const opening = /^---[ \t]*\r?\n/.exec(clean);
  if (!opening) return { frontMatter: {}, body: clean };
  const start = opening[0].length;
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(clean.slice(start, start + maxFrontMatter));
  if (!closing) return { frontMatter: {}, fault: 'its front matter has no end', body: clean };
  const source = clean.slice(start, start + closing.index);
  const body = clean.slice(start + closing.index + closing[0].length);
  try {
    const value: unknown = parse(source, { maxAliasCount: 20, prettyErrors: false, logLevel: 'error' });
    if (value === null || value === undefined) return { frontMatter: {}, body };
    if (typeof value !== 'object' || Array.isArray(value)) return { frontMatter: {}, fault: 'its front matter is not a YAML mapping', body };
    return { frontMatter: value as Record<string, unknown>, body };
  } catch (broken) {
    return { frontMatter: {}, fault: `its front matter is not valid YAML (${firstLine(messageOf(broken), 200)})`, body };
  }
}

/** Returns the complete note with LF line endings; omits `undefined` values. */
export function renderNote(frontMatter: Readonly<Record<string, unknown>>, body: string): string {
  const fields = Object.fromEntries(Object.entries(frontMatter).filter(([, value]) => value !== undefined));
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${body
    .replaceAll('\r\n', '\n')
    .replace(/^\s*\n/, '')
    .trimEnd()}\n`;
}

/** Returns the file name without folder and extension. */
export function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(md|markdown)$/i, '');
}

function linksOf(prose: string): WikiLink[] {
  return [...prose.matchAll(linkPattern)].map((match) => toLink(match[1] ?? '', match[2], match[3]));
}

function toLink(target: string, heading: string | undefined, alias: string | undefined): WikiLink {
  // In a table, the `|` is escaped.
  const clean = target.replace(/\\$/, '').trim();
  return {
    target: clean,
    ...(heading === undefined ? {} : { heading: heading.replace(/\\$/, '').trim() }),
    ...(alias === undefined ? {} : { alias: alias.trim() }),
  };
}

/** Replaces fenced and inline code with spaces; all other text keeps its position. */
function withoutCode(body: string): string {
  if (!body.includes('`') && !body.includes('~~~')) return body;
  let fence: string | undefined;
  const lines = body.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return '';
    }
    if (mark !== undefined) fence = mark;
    return mark === undefined ? line.replace(/`[^`\n]*`/g, '') : '';
  });
  return lines.join('\n');
}

function listOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return items
    .flatMap((item) => (typeof item === 'string' || typeof item === 'number' ? [String(item).replace(/^#/, '').trim()] : []))
    .filter((item) => item !== '');
}
