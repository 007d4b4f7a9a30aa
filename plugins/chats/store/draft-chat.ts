// Drafts a new chat with its id, workspace and title. Stores nothing.
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { KernelError } from 'agent-harness/kernel';
import { oneLine } from '#lib/text';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { Storage } from 'agent-harness/plugins/storage';
import { untitled } from 'agent-harness/transcript';
import type { CreateChat, WorkspaceMode } from '../contract.ts';
import { checkFolder, fingerprint } from './workspace.ts';
import type { SavedMeta } from './saved-meta.ts';

export interface DraftParts {
  readonly storage: Storage;
  readonly exactFiles: ExactFiles;
  readonly chatsFolder: string;
  /** Returns the path of the default workspace of a new chat. */
  defaultRoot(): string;
  known(): Promise<readonly SavedMeta[]>;
  invalid(why: string): KernelError;
}

const titleLimit = 80;

/** Returns the meta of a new chat. Rejects if its workspace cannot be used. */
export async function draftChat(wanted: CreateChat, parts: DraftParts): Promise<SavedMeta> {
  const chatId = parts.storage.createId('chat');
  const { mode, root } = await placeWorkspace(chatId, wanted, parts);
  const at = new Date().toISOString();
  const title = cleanTitle(wanted.title ?? '');
  return {
    chatId,
    title: title === '' ? untitled : title,
    isTitled: title !== '',
    workspaceMode: mode,
    workspaceRoot: root,
    workspaceFingerprint: fingerprint(root, parts.exactFiles.readSmall),
    createdAt: at,
    updatedAt: at,
    turns: 0,
    mode: 'ask',
    pinned: false,
    archived: false,
    tags: [],
    ...(wanted.temporary === true ? { temporary: true } : {}),
  };
}

async function placeWorkspace(chatId: string, { workspaceMode, workspaceRoot }: CreateChat, parts: DraftParts): Promise<{ mode: WorkspaceMode; root: string }> {
  const mode = workspaceMode ?? 'folder';
  if (mode === 'scratch') {
    const own = join(parts.chatsFolder, chatId, 'workspace');
    await mkdir(own, { recursive: true, mode: 0o700 });
    return { mode, root: await realpath(own) };
  }
  if (workspaceRoot === undefined && workspaceMode !== undefined) throw parts.invalid(`workspaceMode '${mode}' needs workspaceRoot.`);
  const checked = await checkFolder(workspaceRoot ?? parts.defaultRoot());
  if ('why' in checked) throw parts.invalid(checked.why);
  if (mode === 'reuse' && !(await parts.known()).some((meta) => meta.workspaceRoot === checked.folder)) {
    throw parts.invalid(`No chat has the workspace '${checked.folder}', so it cannot be reused. Use workspaceMode 'folder'.`);
  }
  return { mode, root: checked.folder };
}

/** Returns the title as one line of limited length, without control characters. */
export function cleanTitle(title: string): string {
  const line = oneLine(title);
  return line.length <= titleLimit ? line : [...line].slice(0, titleLimit - 1).join('') + '…';
}
