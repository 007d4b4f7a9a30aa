// The dialog that asks the user before a guest controls for the first time.
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
    // Closing it does not allow it.
    <Modal title={t('A guest asks to control this window')} onClose={() => answer(false)}>
      <p className="claim-who">
        <MousePointerClick size={20} aria-hidden />
        <span>
          <b>{name}</b> <span className="muted">({transport === 'cloud' ? t('through the relay') : address})</span>
        </span>
      </p>
      {words === undefined ? (
        <p>{t('Nothing is sealed in this network, so there are no words to compare: make sure that it is the device you think it is.')}</p>
      ) : (
        <p className="claim-words">
          {tx('Have the guest read its four words to you: {words} Where they differ, somebody else is between you: do not allow it.', {
            words: <strong>{words}</strong>,
          })}
        </p>
      )}
      <p>{t('It could click and type here as you do. Approvals, questions and settings stay yours. Allow it only if you know who that is.')}</p>
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
          {t('Let it watch only')}
        </button>
        <button type="button" className="button primary" disabled={act.isBusy} onClick={() => answer(true)}>
          {words === undefined ? t('Allow control') : t('The words are the same: allow control')}
        </button>
      </div>
    </Modal>
  );
}
