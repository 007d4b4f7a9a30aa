// Implements the tools `vault_search`, `vault_read` and `vault_links`.
import { join } from 'node:path';
import { failure, isFailure } from '#lib/errors';
import { countWithNoun, oneLine, textPart } from '#lib/text';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import type { LinksArgs, ReadArgs, SearchArgs } from '../inputs.ts';
import { readNote } from '../notes/note-file.ts';
import { parseNote, splitFrontMatter, type WikiLink } from '../notes/parse-note.ts';
import type { OpenVault, VaultAccess } from '../open-vault.ts';
import { locateNote, type Place } from '../notes/place.ts';
import type { VaultPorts } from '../ports.ts';
import { isForeignNote, type IndexHit, type IndexView } from './vault-index.ts';

const pageLength = 20_000;
const excerptLength = 240;
const maxListed = 100;

export interface ReadTools {
  search(args: SearchArgs, context: ToolContext): Promise<ToolOutcome>;
  read(args: ReadArgs, context: ToolContext): Promise<ToolOutcome>;
  links(args: LinksArgs, context: ToolContext): Promise<ToolOutcome>;
}

export function createReadTools(access: VaultAccess, ports: VaultPorts): ReadTools {
  return {
    async search({ query, limit = 8 }, context) {
      const vault = await access();
      const view = await vault.index.refresh();
      const hits = view.search(query, { isLoose: true });
      ports.note('search', context);
      const shown = hits.slice(0, limit);
      const rows = await Promise.all(shown.map(async (hit, at) => `${at + 1}. ${await describeHit(vault, hit)}`));
      const head = shown.length === 0 ? 'No notes match.' : `${shown.length} of ${hits.length} matching notes:`;
      const isUntrusted = shown.some(({ note }) => note.isForeign);
      return { ok: true, output: [head, ...rows, footer(view, ports)].join('\n'), ...(isUntrusted ? { isUntrusted } : {}) };
    },

    async read(args, context) {
      const vault = await access();
      const place = await locateBy(args, vault);
      const text = await readNote(place.absolute, place.path);
      const { frontMatter, fault } = splitFrontMatter(text);
      ports.note('read', context, place.path);
      const output = pageOf(text, args.offset ?? 0, place.path) + (fault === undefined ? '' : `\n\n[Of this note, ${fault}.]`);
      return { ok: true, output, ...(isForeignNote(place.path, frontMatter) ? { isUntrusted: true } : {}) };
    },

    async links({ path }, context) {
      const vault = await access();
      const view = await vault.index.refresh();
      const place = await locateBy({ path }, vault).catch((fault: unknown) => {
        if (isFailure(fault)) return locateBy({ title: path }, vault);
        throw fault;
      });
      const { links, frontMatter } = parseNote(await readNote(place.absolute, place.path), place.path);
      ports.note('links', context, place.path);
      const isUntrusted = isForeignNote(place.path, frontMatter);
      return { ok: true, output: describeLinks(place.path, links, view), ...(isUntrusted ? { isUntrusted } : {}) };
    },
  };
}

async function locateBy({ path, title }: { readonly path?: string; readonly title?: string }, vault: OpenVault): Promise<Place> {
  if (path !== undefined) return locateNote(vault.root, path);
  if (title === undefined) throw failure('Pass path or title.');
  const view = await vault.index.refresh();
  const found = view.names.find(title);
  if (found.length > 1) throw failure(`Several notes are called "${title}": ${[...found].sort().slice(0, 10).join(', ')}.`, 'Pass one of these paths.');
  if (found[0] === undefined) throw failure(`No note is called "${title}".`, 'Use vault_search to find it.');
  return locateNote(vault.root, found[0]);
}

function pageOf(text: string, offset: number, path: string): string {
  if (text === '') return `${path} is empty.`;
  if (offset >= text.length) throw failure(`${path} has ${countWithNoun(text.length, 'character')}; offset ${offset} is too large.`);
  // Keeps surrogate pairs together.
  const start = isLowSurrogate(text, offset) ? offset + 1 : offset;
  const limit = start + pageLength;
  const end = isLowSurrogate(text, limit) ? limit - 1 : limit;
  const page = text.slice(start, end).replaceAll('\r\n', '\n');
  return end >= text.length ? page : `${page}\n\n[characters ${start} to ${end} of ${text.length}; next: offset ${end}]`;
}

function isLowSurrogate(text: string, at: number): boolean {
  return at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

async function describeHit({ root }: OpenVault, { note, words }: IndexHit): Promise<string> {
  const tags =
    note.tags.length === 0
      ? ''
      : ` (${note.tags
          .slice(0, 8)
          .map((tag) => `#${tag}`)
          .join(' ')})`;
  const foreign = note.isForeign ? ' [external, not reviewed]' : '';
  const head = `${note.title} — ${note.path}${tags}${foreign}`;
  if (note.fault !== undefined) return `${head}\n   (${note.fault})`;
  try {
    const { body } = splitFrontMatter(await readNote(join(root.path, note.path), note.path));
    return `${head}\n   ${excerptOf(body, words)}`;
  } catch (fault) {
    if (isFailure(fault)) return head; // removed in the meantime
    throw fault;
  }
}

/** Returns the text around the first matching word, on one line. */
function excerptOf(body: string, words: readonly string[]): string {
  const lower = body.toLowerCase();
  const at =
    words
      .map((word) => lower.indexOf(word))
      .filter((place) => place >= 0)
      .sort((a, b) => a - b)[0] ?? 0;
  const start = Math.max(0, at - excerptLength / 4);
  const text = oneLine(textPart(body, start, start + excerptLength));
  return `${start > 0 ? '… ' : ''}${text}${start + excerptLength < body.length ? ' …' : ''}`;
}

function describeLinks(path: string, links: readonly WikiLink[], view: IndexView): string {
  const outgoing = new Set<string>();
  const broken = new Set<string>();
  for (const link of links) {
    const target = view.names.resolveLink(link, path);
    if (target !== undefined) outgoing.add(link.heading === undefined ? target : `${target}#${link.heading}`);
    else if (!view.names.isAttachment(link.target)) broken.add(`[[${link.target}]]`);
  }
  const backlinks = [...view.notes.values()]
    .filter((note) => note.path !== path && note.links.some((link) => view.names.resolveLink(link, note.path) === path))
    .map((note) => note.path)
    .sort();
  return [section('Links to', [...outgoing]), section('Linked from', backlinks), section('Broken links', [...broken])].join('\n');
}

function section(title: string, rows: readonly string[]): string {
  if (rows.length === 0) return `${title}: none`;
  const more = rows.length > maxListed ? [`- … and ${rows.length - maxListed} more`] : [];
  return [`${title} (${rows.length}):`, ...rows.slice(0, maxListed).map((row) => `- ${row}`), ...more].join('\n');
}

function footer(view: IndexView, ports: VaultPorts): string {
  const counters = ports.counters();
  const size = `${countWithNoun(view.notes.size, 'note')} in the vault${view.isCut ? ', and more that are not searched' : ''}`;
  return `[${size}${counters === undefined ? '' : `; since the start: ${counters}`}]`;
}
