// Appends one JSON line per heartbeat run to `.agent_heartbeat.jsonl` of the chat's workspace.
import { readSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, messageOf } from '#lib/errors';
import { createSerialQueue } from '#lib/async';
import { recordIn } from '#lib/values';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';

export interface RunLog {
  /** Appends a line, at most one per run. Resolves when the line is on disk. Never rejects: a write error is reported once per workspace. */
  add(workspaceRoot: string, line: { readonly runId: string }): Promise<void>;
  /** Removes the lines of a chat, or of one of its messages. Resolves when they are removed. Never rejects. */
  forget(workspaceRoot: string, chatId: string, messageId?: string): Promise<void>;
  idle(): Promise<void>;
}

export const logName = '.agent_heartbeat.jsonl';
/** Maximum file size in bytes, beyond which the older half is removed. */
const maxBytes = 256 * 1024;

export function createRunLog(files: ExactFiles, warn: (message: string) => void): RunLog {
  const queue = createSerialQueue();
  const reported = new Set<string>();

  /** @param how returns the new content; unchanged content is not written to disk */
  async function change(workspaceRoot: string, how: (before: string) => string): Promise<void> {
    const path = join(await realpath(workspaceRoot), logName);
    const before = readEnd(files, path);
    const text = how(before);
    if (text === before) return;
    await files.replace(path, Buffer.from(Buffer.byteLength(text) > maxBytes ? wholeLines(text.slice(-maxBytes / 2)) : text), { mode: 0o600 });
  }

  const attempt = (workspaceRoot: string, how: (before: string) => string): Promise<void> =>
    queue.run(async () => {
      try {
        await change(workspaceRoot, how);
        reported.delete(workspaceRoot);
      } catch (fault) {
        if (reported.has(workspaceRoot)) return;
        reported.add(workspaceRoot);
        warn(`${join(workspaceRoot, logName)} cannot be written, so heartbeat runs of this workspace are only counted: ${messageOf(fault)}`);
      }
    });

  return {
    add: (workspaceRoot, line) =>
      attempt(workspaceRoot, (before) => (before.includes(`"runId":"${line.runId}"`) ? before : `${before}${JSON.stringify(line)}\n`)),
    forget: (workspaceRoot, chatId, messageId) =>
      attempt(workspaceRoot, (before) => before.replaceAll(/.*\n/g, (line) => (isOf(recordIn(line), chatId, messageId) ? '' : line))),
    idle: () => queue.idle(),
  };
}

const isOf = (line: Readonly<Record<string, unknown>>, chatId: string, messageId: string | undefined): boolean =>
  line['chatId'] === chatId && (messageId === undefined || line['messageId'] === messageId);

/** Returns the complete lines at the end of the file. Throws if the path is not a regular file, for example a link. */
function readEnd(files: ExactFiles, path: string): string {
  let file;
  try {
    file = files.open(path);
  } catch (fault) {
    if (isMissing(fault)) return '';
    throw fault;
  }
  try {
    if (!file.stats.isFile()) throw new Error('it is not a file');
    const from = Math.max(0, file.stats.size - maxBytes);
    const bytes = Buffer.alloc(file.stats.size - from);
    const read = readSync(file.descriptor, bytes, 0, bytes.length, from);
    const text = bytes.toString('utf8', 0, read);
    const whole = from === 0 ? text : wholeLines(text);
    // Separates a truncated last line from the next one.
    return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`;
  } finally {
    files.close(file);
  }
}

const wholeLines = (text: string): string => text.slice(text.indexOf('\n') + 1);
