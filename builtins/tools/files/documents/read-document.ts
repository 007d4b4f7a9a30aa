// Extracts the text of any file: detects its type from its bytes, and parses it in a worker thread with limits on time and memory.
import { runInThread } from '#lib/worker';
import mime from 'mime';
import { kindOf, pdfType, sniffBytes, zipType } from './file-kind.ts';
import { readNotebook } from './read-notebook.ts';
import { readPdf } from './read-pdf.ts';
import { decodeText, encodingName, textFormOf } from './text-form.ts';

export type DocumentTask =
  | { readonly kind: 'office'; readonly bytes: Uint8Array; readonly maxChars: number }
  | { readonly kind: 'html'; readonly text: string; readonly maxChars: number };

export type DocumentAnswer = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'other' } | { readonly kind: 'fault'; readonly why: string };

export interface DocumentText {
  /** Media type, detected from the bytes, otherwise from the name. */
  readonly type: string;
  /** Text of the document; omitted if the file has no readable text. */
  readonly text?: string;
  /** Reason why the text is missing or incomplete. */
  readonly note?: string;
}

const capMs = 20_000;
const maxHeapMb = 768;
const maxChars = 20_000_000;

/** Extracts the text. Rejects only when the signal is aborted; the thread has ended when the promise settles. */
export async function readDocument(bytes: Buffer, name: string, signal: AbortSignal): Promise<DocumentText> {
  const kind = kindOf(bytes.subarray(0, sniffBytes), () => mime.getType(name));
  if (kind.kind === 'image') return { type: kind.mimeType };
  if (kind.kind === 'text') return readText(bytes, name, signal);
  if (kind.type === pdfType) return { type: pdfType, ...(await readPages(bytes, signal)) };
  if (kind.type !== zipType) return { type: kind.type };
  const named = mime.getType(name) ?? zipType;
  const answer = await runThread({ kind: 'office', bytes, maxChars }, signal);
  if (answer.kind === 'other') return { type: zipType };
  return answer.kind === 'text' ? { type: named, ...withText(answer.text) } : { type: named, note: `it cannot be read (${answer.why})` };
}

async function readText(bytes: Buffer, name: string, signal: AbortSignal): Promise<DocumentText> {
  const form = textFormOf(bytes, false);
  if (!form) return { type: mime.getType(name) ?? 'application/octet-stream' };
  const text = decodeText(bytes, form);
  const type = mime.getType(name) ?? 'text/plain';
  const note = encodingName(form);
  if (/\.ipynb$/i.test(name)) {
    const notebook = readNotebook(text);
    if (notebook) return { type: 'application/x-ipynb+json', ...withText(notebook.lines.join('\n')) };
  }
  if (type === 'text/html' || /^\s*<(!doctype html|html)\b/i.test(text.slice(0, 1000))) {
    const answer = await runThread({ kind: 'html', text, maxChars }, signal);
    // HTML that cannot be parsed is still text.
    if (answer.kind === 'text') return { type: 'text/html', ...withText(answer.text) };
  }
  return { type, text, ...(note === undefined ? {} : { note }) };
}

async function readPages(bytes: Buffer, signal: AbortSignal): Promise<Omit<DocumentText, 'type'>> {
  const { pageCount, pages, fault } = await readPdf(bytes, signal);
  if (pages.length === 0) return { note: `it cannot be read (${fault ?? 'it has no pages'})` };
  if (pages.every((page) => page.trim() === '')) return { note: 'its pages have no text; they are probably scanned' };
  const text = pages.map((page, index) => `# Page ${index + 1} of ${pageCount}\n${page}\n`).join('\n');
  return { text, ...(fault === undefined ? {} : { note: `not all pages were read: ${fault}` }) };
}

function withText(text: string): Pick<DocumentText, 'text' | 'note'> {
  if (text.trim() === '') return { note: 'it has no text' };
  return { text, ...(text.length >= maxChars ? { note: `only its first ${maxChars.toLocaleString('en')} characters were read` } : {}) };
}

function runThread(task: DocumentTask, signal: AbortSignal): Promise<DocumentAnswer> {
  return runInThread<DocumentAnswer, DocumentAnswer>('office', { data: task, maxHeapMb }, signal, {
    capMs,
    onMessage: (answer, settle) => settle(() => answer),
    onStop: ({ message }) => ({ kind: 'fault', why: message }),
  });
}
