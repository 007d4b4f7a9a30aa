// Decides whether the text of workspace files is external content: a cloned project contains third-party text.
import { realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { sha256 } from '#lib/hash';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { Trust, TrustSubject } from './contract.ts';

export const filesSubject = 'files';

/** Returns the digest of a folder. It depends only on the path: trust remains valid after changes to the files. */
export function digestOfFiles(workspaceRoot: string): string {
  return sha256(`files of ${workspaceRoot}`);
}

/** Returns whether the product created the folder for a chat: `chats/<id>/workspace`. */
export function isOwnWorkspace(workspaceRoot: string, home: string): boolean {
  const [chat, own, ...rest] = relative(join(realRoot(home), 'chats'), workspaceRoot).split(sep);
  return chat !== undefined && chat.startsWith('chat_') && own === 'workspace' && rest.length === 0;
}

/**
 * Returns the real path of a folder; the path itself for a missing folder, which contains nothing to trust or run. Synchronous, because it runs several times
 * after each call that reads files, and the thread pool would take longer.
 */
export function realRoot(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** Creates the trust subject for the files of a workspace. A folder without files has no finding. */
export function createFilesSubject(home: string): TrustSubject {
  return {
    name: filesSubject,
    async find(workspaceRoot) {
      const root = realRoot(workspaceRoot);
      if (isOwnWorkspace(root, home)) return undefined;
      const names = await readdir(root).catch(() => []);
      if (names.length === 0) return undefined;
      return {
        title: 'files whose text may contain instructions',
        detail: `Text of files in ${root}. Until you trust it, it is treated as external content: after the agent reads it, sending data, storing notes and opening new addresses need your approval.`,
        digest: digestOfFiles(root),
        isListedOnly: true,
      };
    },
  };
}

/** Marks output that was read from a workspace with untrusted files; returns `undefined` if the output stays unchanged. */
export async function markForeign(
  outcome: ToolOutcome,
  { tool, turn, hasRun }: ToolCall,
  trust: Pick<Trust, 'areFilesTrusted'>,
): Promise<ToolOutcome | undefined> {
  if (!hasRun || tool.readsWorkspace !== true || outcome.isUntrusted === true) return undefined;
  // After an error, the files are treated as untrusted.
  const isTrusted = await trust.areFilesTrusted(turn.workspaceRoot).catch(() => false);
  return isTrusted ? undefined : { ...outcome, isUntrusted: true, fromWorkspace: true };
}
