// Renders "Send" if there is content to send, and "Stop", "Queue" and "Steer" while a turn is running.
import type { OpenChat } from 'agent-harness/client';
import { CallError } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { ArrowUp, CornerDownRight, ListEnd, Square } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { oneRow, useMedia } from '../../kit/use-media.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { t } from '../../kit/t.ts';

interface SendButtonsProps {
  readonly chat: OpenChat;
  readonly isRunning: boolean;
  /** Whether the field has content to send. */
  readonly canSend: boolean;
  readonly onSend: (whenBusy: 'queue' | 'steer') => void;
}

export function SendButtons({ chat, isRunning, canSend, onSend }: SendButtonsProps) {
  const isIcon = useMedia(oneRow);
  const form = isIcon ? 'button icon' : 'button';
  if (!isRunning) {
    return canSend ? (
      <button type="submit" className="button icon composer-send" aria-label={t('Send')} title={t('Send (Enter)')}>
        <ArrowUp size={18} aria-hidden />
      </button>
    ) : null;
  }
  return (
    <>
      {canSend && (
        <>
          <button
            type="button"
            className={`${form} composer-choice`}
            aria-label={t('Steer')}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title={t('Sends it to the running turn (Ctrl+Enter)')}
            onClick={() => onSend('steer')}
          >
            <CornerDownRight size={16} aria-hidden /> {!isIcon && t('Steer')}
          </button>
          <button type="submit" className={`${form} primary composer-choice`} aria-label={t('Queue')} title={t('Sends it after the running turn (Enter)')}>
            <ListEnd size={16} aria-hidden /> {!isIcon && t('Queue')}
          </button>
        </>
      )}
      <StopButton key={chat.chatId} chat={chat} />
    </>
  );
}

function StopButton({ chat }: { readonly chat: OpenChat }) {
  const [isStopping, setStopping] = useState(false);
  const isDown = useSelected(useClient().connection, ({ rest }) => rest === 'down');
  async function stop(): Promise<void> {
    if (isStopping || isDown) return;
    setStopping(true);
    try {
      await chat.abort();
    } catch (fault) {
      // The turn ended in the meantime.
      if (!(fault instanceof CallError && fault.code === 'no_turn')) chat.note(messageOf(fault));
    } finally {
      setStopping(false);
    }
  }
  return (
    <button
      type="button"
      className="button icon composer-send"
      aria-label={isStopping ? t('Stopping…') : t('Stop')}
      title={t('Esc in the message field')}
      aria-disabled={isStopping || isDown}
      onClick={() => void stop()}
    >
      <Square size={14} aria-hidden className="composer-stop-icon" />
    </button>
  );
}
