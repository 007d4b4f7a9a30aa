// Renders the card of one turn's changes: number of files and lines, a link to them, and undo.
import type { ReplyOf } from 'agent-harness/client';
import { FileDiff, Undo2 } from 'lucide-react';
import { useClient } from '#page/kit/hooks.ts';
import { hostOnly } from '#page/kit/host-only.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { openPane } from '#page/points/pane.ts';
import { usePermission } from '#page/points/use-permission.ts';
import { firstOf } from '#page/kit/short-texts.ts';
import { describeUndo, effectText, isPartial } from './describe-undo.ts';
import { t, tn } from '#page/kit/t.ts';
import './turn-card.css';

type ChangedFile = ReplyOf<'GET /api/changes'>['files'][number];

export function TurnCard({ chatId, turnId }: { readonly chatId: string; readonly turnId: string }) {
  const client = useClient();
  const { tell } = useShell();
  const may = usePermission('chats.manage');
  const loaded = useLoaded(`${chatId} ${turnId}`, (signal) => client.call('GET /api/changes', { query: { chatId, turnId }, signal }));
  const undo = useAct(loaded.reload);
  useEvents((event) => event.chatId === chatId && event.kind === 'checkpoint_restored', 200, loaded.reload);
  const { files = [], more = 0, state = [], outside = [] } = loaded.value ?? {};
  if (files.length + state.length + outside.length === 0) return null;
  const standing = [...files, ...state].filter(({ undone }) => !undone);
  const takeBack = async (): Promise<void> => {
    const undone = await client.call('POST /api/undo', { body: { chatId, turnId } });
    tell(describeUndo(undone), isPartial(undone) ? 'bad' : 'plain');
  };
  return (
    <div className="turn-card" role="group" aria-label={t('Changes of this turn')}>
      <FileDiff size={16} aria-hidden />
      {files.length > 0 && (
        <>
          <span>{tn(files.length + more, '{count} file', '{count} files')}</span>
          <span>
            <span className="turn-card-added">+{linesOf(files, 'added')}</span> <span className="turn-card-removed">−{linesOf(files, 'removed')}</span>
          </span>
        </>
      )}
      {state.length > 0 && <span>{tn(state.length, '{count} other item', '{count} other items')}</span>}
      {outside.length > 0 && <span className="muted">{t('Cannot be undone: {calls}', { calls: firstOf(outside.map(effectText), 3) })}</span>}
      {files.length + state.length > 0 && standing.length === 0 && <span className="badge">{t('undone')}</span>}
      <button type="button" {...hostOnly} className="quiet-button" onClick={() => openPane(client, 'changes', turnId)}>
        {t('Review')}
      </button>
      {may && standing.length > 0 && (
        <button type="button" {...hostOnly} className="quiet-button" disabled={undo.isBusy} onClick={() => void undo.run(takeBack)}>
          <Undo2 size={14} aria-hidden />
          <span>{t('Undo')}</span>
        </button>
      )}
    </div>
  );
}

const linesOf = (files: readonly ChangedFile[], what: 'added' | 'removed'): number => files.reduce((sum, file) => sum + (file[what] ?? 0), 0);
