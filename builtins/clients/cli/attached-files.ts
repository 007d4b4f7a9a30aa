// Reads the files of `--attach FILE` as attachments of a message.
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { faultReason } from '#lib/errors';
import { makeSafe } from '#lib/terminal';

export interface OutgoingAttachment {
  readonly name: string;
  readonly dataUrl: string;
}

/** Maximum total size of the files in bytes. The server also enforces this limit, and limits per kind of file. */
const mostBytes = 25 * 1024 * 1024;

/** Returns the attachments, or an error sentence if a file is unreadable; nothing is sent in that case. */
export async function readAttached(files: readonly string[], startFolder: string): Promise<readonly OutgoingAttachment[] | string> {
  const attachments: OutgoingAttachment[] = [];
  for (const file of files) {
    try {
      attachments.push(await readOne(resolve(startFolder, file)));
    } catch (fault) {
      return `${makeSafe(file)} cannot be attached: ${makeSafe(faultReason(fault))}.`;
    }
  }
  return attachments;
}

async function readOne(path: string): Promise<OutgoingAttachment> {
  const stats = await stat(path);
  // Reading a named pipe would block the command.
  if (!stats.isFile()) throw new Error('it is not a file');
  if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 / 1024} MB`);
  const { default: mime } = await import('mime');
  const type = mime.getType(path) ?? 'application/octet-stream';
  return { name: basename(path), dataUrl: `data:${type};base64,${(await readFile(path)).toString('base64')}` };
}
