// Parses one office document or HTML page in a worker thread.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '#lib/errors';
import { stripHtml } from '#lib/html-text';
import { textStart } from '#lib/text';
import type { DocumentAnswer, DocumentTask } from './read-document.ts';
import { openOffice } from './office-archive.ts';
import { readDocx } from './read-docx.ts';
import { readPptx } from './read-pptx.ts';
import { readXlsx } from './read-xlsx.ts';

function run(task: DocumentTask): DocumentAnswer {
  if (task.kind === 'html') {
    const { title, text } = stripHtml(task.text);
    return { kind: 'text', text: textStart(`${title}\n${text}`.trim(), task.maxChars) };
  }
  const archive = openOffice(task.bytes);
  if (!archive) return { kind: 'other' };
  const text = archive.kind === 'docx' ? readDocx(archive) : archive.kind === 'pptx' ? readPptx(archive) : readXlsx(archive, task.maxChars);
  return { kind: 'text', text: textStart(text, task.maxChars) };
}

function answer(): DocumentAnswer {
  try {
    return run(workerData as DocumentTask);
  } catch (fault) {
    return { kind: 'fault', why: messageOf(fault) };
  }
}

parentPort?.postMessage(answer());
