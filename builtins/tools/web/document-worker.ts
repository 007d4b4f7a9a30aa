// Parses documents one after the other in a worker thread; answers each with messages that end with `end` or `fault`.
import { parentPort } from 'node:worker_threads';
import { messageOf } from '#lib/errors';
import type { DocumentMessage, DocumentTask } from './document-threads.ts';

const post = (message: DocumentMessage): void => parentPort?.postMessage(message);

async function run(task: DocumentTask): Promise<void> {
  if (task.kind === 'pdf') return (await import('./read-pdf.ts')).readPdf(task.bytes, post);
  const { readArticle, readResults } = await import('./read-html.ts');
  if (task.kind === 'article') post(readArticle(task));
  else for (const result of readResults(task.html)) post(result);
}

parentPort?.on('message', (task: DocumentTask) => {
  run(task).then(
    () => post({ kind: 'end' }),
    (fault: unknown) => post({ kind: 'fault', message: messageOf(fault) }),
  );
});
