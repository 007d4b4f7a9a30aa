// Reads files for browser uploads: exactly the files that the user approved by name.
import { basename } from 'node:path';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import type { ToolContext } from 'agent-harness/plugins/tools';
import type { Action } from './inputs.ts';

export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

type CallPlace = Pick<ToolContext, 'callId' | 'workspaceRoot'>;

/** Maximum size of all files together in bytes. */
const maxBytes = 20 * 1024 * 1024;

/** Resolves the paths before the approval, because the user approves the files that the paths currently refer to. */
export function decideUploads(actions: readonly Action[], place: CallPlace, files: WorkspaceFiles | undefined): void {
  for (const { op, paths = [] } of actions) if (op === 'upload') for (const path of paths) files?.decide(place, path);
}

export async function readUploads(paths: readonly string[], place: CallPlace, files: WorkspaceFiles | undefined): Promise<Upload[]> {
  if (!files) throw new Error('Files cannot be uploaded: the plugin that reads files is off.');
  const uploads: Upload[] = [];
  let room = maxBytes;
  for (const path of paths) {
    const buffer = await files.read(place, path, room);
    if (!buffer) throw new Error(`The files exceed ${maxBytes / 1024 / 1024} MB in total.`);
    room -= buffer.length;
    uploads.push({ name: basename(path), mimeType: 'application/octet-stream', buffer });
  }
  return uploads;
}
