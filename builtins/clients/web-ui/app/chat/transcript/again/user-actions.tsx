// Renders the actions on the user's own message (copy, edit and resend, remove from the queue), and links to its branches.
import { messageOf } from '#lib/errors';
import type { OpenChat, UserEntry } from 'agent-harness/client';
import { ChevronLeft, ChevronRight, Pencil, Undo2 } from 'lucide-react';
import { use, useState } from 'react';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { ChatContext, goTo, useClient, useStore } from '../../../kit/hooks.ts';
import { useDraft } from '../../../kit/use-draft.ts';
import { useStoredState } from '../../../kit/stored-state.ts';
import { EntryTools } from '../../../points/entry-tools.tsx';
import { usePermission } from '../../../points/use-permission.ts';
import { turnBefore, branchesAt } from './branches.ts';
import { EditMessage } from './edit-message.tsx';
import { useAgain } from './use-again.ts';
import { t } from '../../../kit/t.ts';
import './again.css';

/** First character of the draft of an edited message, so that the form stays open while its field is empty. */
const opened = '=';

export function UserActions({ entry }: { readonly entry: UserEntry }) {
  const { id, text, turnId, state, isSteer, origin } = entry;
  const again = useAgain();
  const chat = use(ChatContext);
  const [draft, setDraft] = useDraft(`edit:${chat?.chatId ?? ''}:${id}`);
  const [isNew, setNew] = useState(false);
  if (!chat) return null;
  const isEditable = turnId !== undefined && state === 'accepted' && isSteer !== true && !origin;
  if (draft !== '' && isEditable) {
    const edited = draft.slice(opened.length);
    return (
      <EditMessage
        text={edited}
        isBusy={again?.isBusy ?? false}
        isNew={isNew}
        isReady={again !== undefined}
        onText={(next) => setDraft(opened + next)}
        onCancel={() => setDraft('')}
        onSend={() => void again?.run(turnId, edited).then((isSent) => isSent && setDraft(''))}
      />
    );
  }
  return (
    <div className="message-actions user-actions">
      {turnId !== undefined && <Ways chat={chat} entryId={id} turnId={turnId} />}
      {state === 'queued' && turnId !== undefined && <TakeBack chat={chat} turnId={turnId} text={text} />}
      {text !== '' && <CopyButton text={() => text} />}
      {again && isEditable && (
        <button
          type="button"
          className="quiet-button"
          onClick={() => {
            setNew(true);
            setDraft(opened + text);
          }}
        >
          <Pencil size={14} aria-hidden />
          <span>{t('Edit')}</span>
        </button>
      )}
      {state === 'accepted' && <EntryTools kind="message" id={id} />}
    </div>
  );
}

function Ways({ chat, entryId, turnId }: { readonly chat: OpenChat; readonly entryId: string; readonly turnId: string }) {
  const { chats } = useStore(useClient().chats);
  const { entries } = useStore(chat.state);
  const branches = branchesAt(chats, chat.chatId, turnId, turnBefore(entries, entryId));
  if (!branches) return null;
  const { chatIds, at } = branches;
  const step = (by: number, label: string, Icon: typeof ChevronLeft) => {
    const to = chatIds[at + by];
    return (
      <button
        type="button"
        className="quiet-button"
        aria-label={label}
        disabled={to === undefined}
        onClick={() => to !== undefined && goTo({ page: 'chat', id: to })}
      >
        <Icon size={14} aria-hidden />
      </button>
    );
  };
  return (
    <span role="group" aria-label={t('Versions of this message')} className="message-branches">
      {step(-1, t('Previous version'), ChevronLeft)}
      <span className="muted small">{t('{at} of {count}', { at: at + 1, count: chatIds.length })}</span>
      {step(1, t('Next version'), ChevronRight)}
    </span>
  );
}

interface TakeBackProps {
  readonly chat: OpenChat;
  readonly turnId: string;
  readonly text: string;
}

function TakeBack({ chat, turnId, text }: TakeBackProps) {
  const client = useClient();
  const may = usePermission('chats.write');
  const [isGone, setGone] = useStoredState(`taken-back:${turnId}`, false);
  const [isBusy, setBusy] = useState(false);
  if (!may) return null;
  if (isGone) return <span className="muted small">{t('Withdrawn: not sent')}</span>;
  const takeBack = async (isEdited: boolean): Promise<void> => {
    setBusy(true);
    try {
      await client.call('POST /api/message/take-back', { body: { turnId, chatId: chat.chatId } });
      setGone(true);
      if (isEdited) chat.putBack(text);
    } catch (fault) {
      chat.note(messageOf(fault));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" className="quiet-button" disabled={isBusy} onClick={() => void takeBack(true)}>
        <Pencil size={14} aria-hidden />
        <span>{t('Edit')}</span>
      </button>
      <button type="button" className="quiet-button" disabled={isBusy} onClick={() => void takeBack(false)}>
        <Undo2 size={14} aria-hidden />
        <span>{t('Withdraw')}</span>
      </button>
    </>
  );
}
