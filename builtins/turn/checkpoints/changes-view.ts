// Builds the view of the files that tools changed in a chat: a row per file, diffs of the newest files, and undo actions.
import { hunksOf } from '#lib/diff-parts';
import { sha256 } from '#lib/hash';
import { textStart } from '#lib/text';
import type { Block, ViewAction, ViewContribution } from 'agent-harness/plugins/views';
import type { ChangedFile, Checkpoints, UndoReply } from './contract.ts';
import { describeUndo } from './describe-undo.ts';

/** Number of files whose diffs are shown immediately; the user opens the others one by one. */
const shownDiffs = 5;
const longestDiff = 30_000;

export interface ChangesViewParts {
  readonly checkpoints: Pick<Checkpoints, 'changes' | 'undo' | 'undoHunks'>;
  /** Throws if a turn is running in the chat. */
  refuseBusy(chatId: string): void;
}

export function changesView({ checkpoints, refuseBusy }: ChangesViewParts): ViewContribution {
  return {
    name: 'changes',
    title: 'Changes',
    description: 'Lists the files that this chat changed, with undo.',
    icon: 'file-edit',
    // The page has its own tab for changes, which reads a file when the user expands it.
    place: 'none',
    permission: 'chats.read',
    actPermission: 'chats.manage',
    changesOn: ['turn_end', 'checkpoint_restored'],
    async read({ chatId }) {
      const { files, more } = chatId === undefined ? { files: [], more: 0 } : await checkpoints.changes(chatId);
      const diffs = chatId === undefined ? [] : await Promise.all(shownOf(files).map(({ path }) => diffBlock(path, chatId)));
      return { blocks: [tableOf(files), ...(more > 0 ? [{ kind: 'text' as const, text: `${more} more files are not listed.` }] : []), ...diffs.flat()] };
    },
    async act({ action, row }, { chatId }) {
      if (chatId === undefined) return;
      refuseBusy(chatId);
      const { files } = await checkpoints.changes(chatId);
      const undone = await (action === undoPart.id ? undoHunk(chatId, files, row ?? '') : undoFile(chatId, files, row));
      return undone && { message: describeUndo(undone) };
    },
  };

  async function diffBlock(path: string, chatId: string): Promise<Block[]> {
    const { diff = '', hunks = [] } = await checkpoints.changes(chatId, { path });
    if (diff === '') return [];
    const isCut = diff.length > longestDiff;
    const shown = isCut ? `${textStart(diff, longestDiff)}\n… [diff truncated]` : diff;
    const whole = hunksOf(shown).length - (isCut ? 1 : 0);
    const parts = hunks.slice(0, whole).map((id) => ({ id }));
    // A single hunk is the whole change of the file.
    return [{ kind: 'diff', path, diff: shown, ...(hunks.length > 1 && parts.length > 0 ? { hunks: parts, rowActions: [undoPart] } : {}) }];
  }

  async function undoFile(chatId: string, files: readonly ChangedFile[], row: string | undefined): Promise<UndoReply | undefined> {
    const file = files.find(({ path }) => idOf(path) === row);
    return file && checkpoints.undo(chatId, undefined, [file.path]);
  }

  /** The id of a hunk does not contain its file. */
  async function undoHunk(chatId: string, files: readonly ChangedFile[], hunk: string): Promise<UndoReply | undefined> {
    for (const { path } of shownOf(files)) {
      const { hunks = [] } = await checkpoints.changes(chatId, { path });
      if (hunks.includes(hunk)) return checkpoints.undoHunks(chatId, { path }, [hunk]);
    }
    return undefined;
  }
}

const undoPart: ViewAction = { id: 'undo-part', label: 'Undo this part' };
const shownOf = (files: readonly ChangedFile[]): readonly ChangedFile[] => files.filter(({ binary, undone }) => !binary && !undone).slice(0, shownDiffs);
const idOf = (path: string): string => sha256(path).slice(0, 8);

function tableOf(files: readonly ChangedFile[]): Block {
  return {
    kind: 'table',
    columns: [{ title: 'File' }, { title: 'What' }, { title: 'Added', kind: 'number' }, { title: 'Removed', kind: 'number' }],
    rows: files.map(({ path, from, kind, added, removed, undone }) => ({
      id: idOf(path),
      cells: [from === undefined ? path : `${from} → ${path}`, undone ? 'undone' : kind, added, removed],
      actions: undone ? [] : ['undo'],
    })),
    rowActions: [{ id: 'undo', label: 'Undo', kind: 'danger', confirm: 'Undo the changes to this file?' }],
  };
}
