// Renders the dialog that asks the user before a guest takes control for the first time.
import { MousePointerClick } from 'lucide-react';
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import './code.css';
import type { Guest } from './use-remote.ts';
import { t, tx } from '#page/kit/t.ts';

interface ClaimDialogProps {
  readonly guest: Guest;
  readonly onChanged: () => void;
}

export function ClaimDialog({ guest: { guestId, name, address, transport, words }, onChanged }: ClaimDialogProps) {
  const { call } = useClient();
  const act = useAct(onChanged);
  const answer = (allow: boolean): void => void act.run(() => call('POST /api/remote/guests/:id', { params: { id: guestId }, body: { allow } }));
  return (
    // Closing the dialog denies control.
    <Modal title={t('A viewer requests control of this window')} onClose={() => answer(false)}>
      <p className="claim-who">
        <MousePointerClick size={20} aria-hidden />
        <span>
          <b>{name}</b> <span className="muted">({transport === 'cloud' ? t('through the relay') : address})</span>
        </span>
      </p>
      {words === undefined ? (
        <p>{t('The connection in this network is not encrypted, so there are no words to compare. Make sure that it is the right device.')}</p>
      ) : (
        <p className="claim-words">
          {tx('Ask the viewer to read out its four words: {words} If they differ, the connection is intercepted: do not allow it.', {
            words: <strong>{words}</strong>,
          })}
        </p>
      )}
      <p>{t('The viewer can then click and type here. Approvals, questions and settings stay with you. Allow it only if you know the person.')}</p>
      <div className="modal-actions">
        <button
          type="button"
          className="button danger"
          disabled={act.isBusy}
          onClick={() => void act.run(() => call('DELETE /api/remote/guests/:id', { params: { id: guestId } }))}
        >
          {t('End its session')}
        </button>
        <button type="button" className="button" disabled={act.isBusy} onClick={() => answer(false)}>
          {t('Allow watching only')}
        </button>
        <button type="button" className="button primary" disabled={act.isBusy} onClick={() => answer(true)}>
          {words === undefined ? t('Allow control') : t('The words match: allow control')}
        </button>
      </div>
    </Modal>
  );
}
