// Renders the actions on all selected chats.
import { Archive, ArchiveRestore, Pin, PinOff, Tags, Trash2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ChatMeta } from 'agent-harness/client';
import { TagsDialog } from '../../chats/tags-dialog.tsx';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import type { Icon } from '../../kit/icon.ts';
import { ConfirmDialog } from '../../kit/page/confirm-dialog.tsx';
import { t, tn } from '../../kit/t.ts';
import './chosen-bar.css';

interface Props {
  readonly chats: readonly ChatMeta[];
  /** All selectable chats. */
  readonly shown: readonly ChatMeta[];
  /** Changes the selection; `undefined` ends it. */
  readonly onChoose: (chosen: ReadonlySet<string> | undefined) => void;
}

export function ChosenBar({ chats, shown, onChoose }: Props) {
  const actions = useChatActions();
  const [asks, ask] = useState<'delete' | 'tags'>();
  const isNone = chats.length === 0;
  const arePinned = !isNone && chats.every(({ pinned }) => pinned);
  const areArchived = !isNone && chats.every(({ archived }) => archived);
  const isAll = chats.length === shown.length;
  /** An action may end after another selection has started; that selection must continue. */
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => void (isOver.current = true);
  }, []);
  const done = (): void => {
    if (!isOver.current) onChoose(undefined);
  };
  return (
    <div className="chosen-bar" role="group" aria-label={t('Selected chats')}>
      <div className="chosen-bar-line">
        <span className="chosen-bar-count" role="status">
          {t('{chats} selected', { chats: tn(chats.length, '{count} chat', '{count} chats') })}
        </span>
        <button type="button" className="button bare" onClick={() => onChoose(isAll ? new Set() : new Set(shown.map(({ chatId }) => chatId)))}>
          {isAll ? t('None') : t('All')}
        </button>
        <Action icon={X} name="End selection" onPress={done} />
      </div>
      <div className="chosen-bar-line">
        <Action
          icon={arePinned ? PinOff : Pin}
          name={arePinned ? t('Unpin selected chats') : t('Pin selected chats')}
          isOff={isNone}
          onPress={() => actions.changeAll(chats, () => ({ pinned: !arePinned }), done)}
        />
        <Action icon={Tags} name="Tag selected chats" isOff={isNone} onPress={() => ask('tags')} />
        <Action
          icon={areArchived ? ArchiveRestore : Archive}
          name={areArchived ? t('Unarchive selected chats') : t('Archive selected chats')}
          isOff={isNone}
          onPress={() => actions.changeAll(chats, () => ({ archived: !areArchived }), done)}
        />
        <Action icon={Trash2} name="Delete selected chats" isOff={isNone} onPress={() => ask('delete')} />
      </div>
      {asks === 'delete' && (
        <ConfirmDialog
          title={t('Delete {chats}?', { chats: tn(chats.length, '{count} chat', '{count} chats') })}
          text={t('They stay in the trash for 30 days, except temporary ones. Files in their folders are not touched.')}
          action={t('Delete')}
          onAnswer={(isSure) => {
            ask(undefined);
            if (isSure) actions.removeAll(chats, done);
          }}
        />
      )}
      {asks === 'tags' && (
        <TagsDialog
          tags={[]}
          onAnswer={(tags) => {
            ask(undefined);
            // Adds the tags to the existing tags of each chat.
            if (tags && tags.length > 0) actions.changeAll(chats, (chat) => ({ tags: [...chat.tags, ...tags] }), done);
          }}
        />
      )}
    </div>
  );
}

function Action({ icon: Picture, name, isOff = false, onPress }: { icon: Icon; name: string; isOff?: boolean; onPress: () => void }) {
  return (
    <button type="button" className="button bare icon" aria-label={name} title={name} disabled={isOff} onClick={onPress}>
      <Picture size={18} aria-hidden />
    </button>
  );
}
