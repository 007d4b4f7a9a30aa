// Checkpoints in the page: what was changed in a chat, and taking it back.
import { FileDiff, Undo2 } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { describeUndo } from './describe-undo.ts';

export const contribution: Contribution = {
  plugin: 'checkpoints',
  pages: [{ page: 'changes', title: 'Changes', icon: FileDiff, place: 'chat', Page: lazyPart(async () => (await import('./changes-page.tsx')).ChangesPage) }],
  chatActions: [
    {
      icon: Undo2,
      title: 'Undo file changes',
      short: 'Undo',
      long: 'Undo file changes of the last turn',
      hint: 'takes back file changes of the last turn',
      words: ['revert', 'take back'],
      async run(client, chatId) {
        const undone = await client.call('POST /api/undo', { body: { chatId } });
        return { text: describeUndo(undone), isBad: undone.conflicts.length > 0 };
      },
    },
  ],
};
