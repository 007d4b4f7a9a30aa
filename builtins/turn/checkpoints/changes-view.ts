// What tools changed in the files of a chat, as a view: a row for each file, the differences of the newest, and taking them back.
import { sha256 } from 'agent-harness/lib/hash';
import { clip } from 'agent-harness/lib/text';
import type { Block, ViewContribution } from 'agent-harness/plugins/views';
import type { ChangedFile, Checkpoints } from './contract.ts';
import { describeUndo } from './describe-undo.ts';

/** More of them are looked at one by one. */
const shownDiffs = 5;
const longestDiff = 30_000;

export interface ChangesViewParts {
  readonly checkpoints: Pick<Checkpoints, 'changes' | 'undo'>;
  /** Throws where a turn is running in the chat. */
  refuseBusy(chatId: string): void;
}

export function changesView({ checkpoints, refuseBusy }: ChangesViewParts): ViewContribution {
  return {
    name: 'changes',
    title: 'Changes',
    description: 'What was changed in the files of this chat, and taking it back.',
    icon: 'file-edit',
    // The page has a tab of its own, where each part of a file can be taken back.
    place: 'none',
    permission: 'chats.read',
    actPermission: 'chats.manage',
    changesOn: ['turn_end', 'checkpoint_restored'],
    async read({ chatId }) {
      const { files, more } = chatId === undefined ? { files: [], more: 0 } : await checkpoints.changes(chatId);
      const diffs = await Promise.all(
        files
          .filter(hasDiff)
          .slice(0, shownDiffs)
          .map(({ path }) => diffBlock(path, chatId ?? '')),
      );
      return { blocks: [tableOf(files), ...(more > 0 ? [{ kind: 'text' as const, text: `${more} more files are left out.` }] : []), ...diffs.flat()] };
    },
    async act({ row }, { chatId }) {
      if (chatId === undefined) return;
      refuseBusy(chatId);
      const file = (await checkpoints.changes(chatId)).files.find(({ path }) => idOf(path) === row);
      return file && { message: describeUndo(await checkpoints.undo(chatId, undefined, [file.path])) };
    },
  };

  async function diffBlock(path: string, chatId: string): Promise<Block[]> {
    const { diff } = await checkpoints.changes(chatId, { path });
    return diff === undefined || diff === '' ? [] : [{ kind: 'diff', path, diff: clip(diff, longestDiff) }];
  }
}

const hasDiff = ({ binary, undone }: ChangedFile): boolean => !binary && !undone;
const idOf = (path: string): string => sha256(path).slice(0, 8);

function tableOf(files: readonly ChangedFile[]): Block {
  return {
    kind: 'table',
    columns: [{ title: 'File' }, { title: 'What' }, { title: 'Added', kind: 'number' }, { title: 'Removed', kind: 'number' }],
    rows: files.map(({ path, from, kind, added, removed, undone }) => ({
      id: idOf(path),
      cells: [from === undefined ? path : `${from} → ${path}`, undone ? 'taken back' : kind, added, removed],
      actions: undone ? [] : ['undo'],
    })),
    rowActions: [{ id: 'undo', label: 'Take back', kind: 'danger', confirm: 'Take the changes of this file back?' }],
  };
}
