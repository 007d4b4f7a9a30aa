// Renders changes other than files (notes, settings, plugin state) with an undo action, and external effects, which cannot be undone.
import { Undo2 } from 'lucide-react';
import { useClient } from '#page/kit/hooks.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { usePermission } from '#page/points/use-permission.ts';
import { t } from '#page/kit/t.ts';
import { describeUndo, effectText, isPartial } from './describe-undo.ts';
import { kindLabels } from './kind-labels.ts';
import type { Changes } from './use-changes.ts';
import '#page/kit/page/file-list.css';
import './changes.css';

type ChangedState = Changes['state'][number];

interface Props {
  readonly chatId: string;
  /** Id of the turn; omitted for all turns of the chat. */
  readonly turnId?: string | undefined;
  readonly changes: Pick<Changes, 'state' | 'outside'>;
  readonly onUndone: () => void;
}

export function ChangedState({ chatId, turnId, changes: { state, outside }, onUndone }: Props) {
  return (
    <>
      {state.length > 0 && (
        <ul className="page-card file-list" aria-label={t('Also changed')}>
          {state.map((one) => (
            <StateRow key={one.id} chatId={chatId} turnId={turnId} state={one} onUndone={onUndone} />
          ))}
        </ul>
      )}
      {outside.length > 0 && (
        <>
          <p className="muted small">{t('External effects that cannot be undone:')}</p>
          <ul className="page-card file-list" aria-label={t('External effects')}>
            {outside.map((effect) => (
              <li key={effect.callId} className="changed-state">
                <bdi dir="ltr">{effectText(effect)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function StateRow({ chatId, turnId, state, onUndone }: Omit<Props, 'changes'> & { readonly state: ChangedState }) {
  const client = useClient();
  const { tell } = useShell();
  const may = usePermission('chats.manage');
  const undo = useAct(onUndone);
  const { id, label, change, undone, conflict, canMerge } = state;
  const takeBack = async (): Promise<void> => {
    const reply = await client.call('POST /api/undo', { body: { chatId, paths: [id], ...(turnId === undefined ? {} : { turnId }) } });
    tell(describeUndo(reply), isPartial(reply) ? 'bad' : 'plain');
  };
  return (
    <li className="changed-state">
      <bdi>{label}</bdi>
      <span className="badge">{kindLabels[change]}</span>
      {undone && <span className="badge">{t('undone')}</span>}
      {conflict && <span className="badge warn">{canMerge === false ? t('changed later, not undoable') : t('changed later, change is kept')}</span>}
      {may && !undone && (
        <button
          type="button"
          className="quiet-button"
          disabled={undo.isBusy}
          onClick={() => void undo.run(takeBack)}
          aria-label={t('Undo {what}', { what: label })}
        >
          <Undo2 size={14} aria-hidden />
          <span>{t('Undo')}</span>
        </button>
      )}
    </li>
  );
}
