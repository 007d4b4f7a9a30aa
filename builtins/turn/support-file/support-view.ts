// Builds the view of a support bundle: its sections with sizes and previews, and the exact text that is saved.
import { splitText } from '#lib/text';
import type { SlashAnswer, SlashContext } from 'agent-harness/plugins/commands';
import type { View, ViewAnswer, ViewCall, ViewContext, ViewValues, Views } from 'agent-harness/plugins/views';
import { viewText } from 'agent-harness/view';
import type { SupportFiles } from './support-files.ts';
import type { SupportFile, SupportWish } from './support-route.ts';
import type { Section } from './support-sections.ts';

type Block = View['blocks'][number];

/** Maximum size of a preview page as JSON, in bytes, so that a view stays within its limits for any text. */
const mostOfPage = 140_000;
/** Maximum length of a text block in characters. */
const mostOfBlock = 19_000;

export async function readSupportView(files: SupportFiles, { chatId, parameters }: ViewContext): Promise<View> {
  return viewOf(await files.make(wishOf(files.sections(), chatId, parameters)), parameters);
}

export async function saveFromView(files: SupportFiles, { action }: ViewCall, { chatId, parameters }: ViewContext, changed: () => Error): Promise<ViewAnswer> {
  const { name, text, digest } = await files.make(wishOf(files.sections(), chatId, parameters));
  if (action !== saveOf(digest)) throw changed();
  return { message: `Saved as ${name}, ${kB(Buffer.byteLength(text))}.`, file: { name, text } };
}

/** Shows the bundle; the page or the command line saves it. */
export async function answerCommand(views: Views, { args, ...asker }: SlashContext): Promise<SlashAnswer> {
  const view = await views.read('support', asker, args === '' ? {} : { turn: args });
  // The conversation must not contain any of this text.
  return { text: viewText(view, { columns: 80, command: '/view' }), kept: 'A support bundle was displayed.', view };
}

/** Returns the id of the save action, which contains the digest: either the displayed text is saved, or saving fails. */
const saveOf = (digest: string): string => `save-${digest.slice(0, 16)}`;

function wishOf(all: readonly Section[], chatId: string | undefined, { turn, strike = '', ...ticks }: ViewValues): SupportWish {
  return {
    chatId,
    turnId: typeof turn === 'string' && turn !== '' ? turn : 'last',
    parts: all.map(({ name }) => name).filter((name) => ticks[name] === true),
    strike: String(strike).split('\n'),
  };
}

function viewOf(file: SupportFile, { shown = 'file', page = 1 }: ViewValues): View {
  const { parts, difference, digest, bytes, turnId } = file;
  const part = parts.find(({ name }) => name === shown);
  const pages = pagesOf(part ? part.text : file.text);
  const at = Math.min(Math.max(1, Number(page)), pages.length);
  const title = part ? `${part.title}, page ${at} of ${pages.length}` : `File content, page ${at} of ${pages.length}`;
  return {
    title: 'Support bundle',
    blocks: [
      { kind: 'text', text: difference ? differs : plays },
      {
        kind: 'table',
        title: 'Parts',
        columns: [{ title: 'Section' }, { title: 'Included' }, { title: 'Size' }, { title: 'Content' }],
        rows: parts.map(({ name, title: of, isIn, bytes: size, description }) => ({
          id: name,
          cells: [of, isIn ? '✓ yes' : 'no', kB(size), description],
          opens: { parameters: { shown: name, page: 1 } },
        })),
      },
      {
        kind: 'fields',
        fields: [
          { label: 'Turn', value: turnId },
          { label: 'File size', value: kB(bytes) },
          { label: 'SHA-256', value: digest },
        ],
      },
      ...blocksOf(pages[at - 1] ?? '', title),
      ...(pages.length > 1 ? [pageTable(pages.length, at)] : []),
    ],
    actions: [{ id: saveOf(digest), label: 'Save this file', kind: 'primary' }],
  };
}

const plays =
  'One file for support, from which the turn can be replayed identically on another machine. Select sections, redact words, and review the text below: it is exactly what is saved. Nothing is sent.';
const differs = `${plays} The replay of this turn differs from its journal; the file contains a note about that.`;

function pageTable(count: number, at: number): Block {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `page-${index + 1}`,
    cells: [index + 1 === at ? `Page ${index + 1} (shown)` : `Page ${index + 1}`],
    opens: { parameters: { page: index + 1 } },
  }));
  return { kind: 'table', title: 'Pages of the text', columns: [{ title: 'Page' }], rows: rows.slice(0, 500) };
}

/** Splits a text into blocks that join to the same text. */
function blocksOf(text: string, title: string): Block[] {
  const parts = cutAt(text, mostOfBlock, (part) => part.length);
  return parts.map((part, at) => ({ kind: 'text', text: part, isPlain: true, ...(at === 0 ? { title } : {}) }));
}

function pagesOf(text: string): string[] {
  return cutAt(text, mostOfPage, (part) => Buffer.byteLength(JSON.stringify(part)));
}

/** Splits a text between lines if possible, otherwise inside a line. The parts join to the same text. */
function cutAt(text: string, most: number, sizeOf: (part: string) => number): string[] {
  const parts: string[] = [];
  let [open, size] = ['', 0];
  const push = (piece: string): void => {
    const of = sizeOf(piece);
    if (size + of > most && open !== '') {
      parts.push(open);
      [open, size] = ['', 0];
    }
    open += piece;
    size += of;
  };
  for (const line of text.split(/(?<=\n)/)) for (const piece of sizeOf(line) > most ? splitText(line, mostOfBlock / 2) : [line]) push(piece);
  return [...parts, open];
}

export const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)}\u00a0kB`;
