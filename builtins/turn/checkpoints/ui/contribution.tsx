// Contributes checkpoints to the page: the changes of a chat or a turn, and undo.
import { FileDiff, Undo2 } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { openPane } from '#page/points/pane.ts';
import { kindLabels } from './kind-labels.ts';
import { describeUndo, isPartial } from './describe-undo.ts';

export const contribution: Contribution = {
  plugin: 'checkpoints',
  pages: [
    {
      page: 'changes',
      title: 'Changes',
      icon: FileDiff,
      place: 'chat',
      permission: 'chats.read',
      Page: lazyPart(async () => (await import('./changes-page.tsx')).ChangesPage),
    },
  ],
  turnViews: [{ title: 'Changes of a turn', View: lazyPart(async () => (await import('./turn-card.tsx')).TurnCard) }],
  paneTabs: [
    {
      tab: 'changes',
      title: 'Changes',
      icon: FileDiff,
      order: 10,
      permission: 'chats.read',
      View: lazyPart(async () => (await import('./changes-pane.tsx')).ChangesPane),
      async count(client, { chatId, state: shown }) {
        // Without tool calls, there are no changes to request.
        if (!shown.get().entries.some(({ kind }) => kind === 'tool')) return 0;
        const { files, more, state: others } = await client.call('GET /api/changes', { query: { chatId } });
        return [...files, ...others].filter(({ undone }) => !undone).length + more;
      },
      isChangedBy: ({ kind }) => kind === 'checkpoint_restored',
    },
  ],
  async fileMarks(client, chatId) {
    const { files } = await client.call('GET /api/changes', { query: { chatId } });
    return new Map(files.filter(({ undone }) => !undone).map(({ path, kind }) => [path, kindLabels[kind]]));
  },
  chatActions: [
    {
      permission: 'chats.manage',
      icon: Undo2,
      title: 'Undo the last turn',
      short: 'Undo',
      long: 'Undo the changes of the last turn',
      hint: 'undoes the changes of the last turn',
      words: ['revert', 'take back'],
      async run(client, chatId) {
        const undone = await client.call('POST /api/undo', { body: { chatId } });
        if (undone.previous) openPane(client, 'changes', undone.previous.turnId);
        return { text: describeUndo(undone), isBad: isPartial(undone) };
      },
    },
  ],
};
