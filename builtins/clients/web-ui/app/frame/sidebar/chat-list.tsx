// Lists the chats by day or by folder, with multiple selection. A long list is virtualized.
import { Suspense, useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import type { ChatMeta } from 'agent-harness/client';
import { isUnlisted } from 'agent-harness/transcript';
import { usePending } from '../../attention/pending-context.ts';
import { useClient, useRoute, useStore } from '../../kit/hooks.ts';
import { linesOf, withoutLeft, type ChatLine } from './chat-groups.ts';
import { ChatRow } from './chat-row.tsx';
import { DeleteDialog } from '../../chats/delete-dialog.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import type { ListView } from './use-list-view.ts';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import { useClock } from '../../kit/use-clock.ts';
import { t } from '../../kit/t.ts';
import './chat-list.css';

const drawnAtOnce = 200;
const minute = 60_000;
const ChosenBar = lazyPart(async () => (await import('./chosen-bar.tsx')).ChosenBar);

export function ChatList({ view }: { readonly view: ListView }) {
  const client = useClient();
  const { chats, isLoaded } = useStore(client.chats);
  const now = useClock(minute);
  const { isArchive, grouping, chosen, choose } = view;
  const { page, id } = useRoute();
  const openId = page === 'chat' ? id : undefined;
  const held = useMemo(() => chats.filter((chat) => chat.archived === isArchive && !isUnlisted(chat)), [chats, isArchive]);
  const shown = useMemo(() => withoutLeft(held, openId), [held, openId]);
  const lines = useMemo(() => linesOf(shown, now, grouping), [shown, now, grouping]);
  const toggle = (chatId: string): void => choose(chosen && withToggled(chosen, chatId));
  return (
    <nav className="chat-list" aria-label={t('Chats')}>
      {isArchive && <h2 className="chat-list-day">{t('Archived')}</h2>}
      {isLoaded && lines.length === 0 && (
        <p className="chat-list-none muted small">{isArchive ? t('No chat is archived.') : t('Your chats will appear here.')}</p>
      )}
      <Lines lines={lines} chosen={chosen} onToggle={toggle} />
      {chosen && (
        <Suspense>
          <ChosenBar chats={shown.filter(({ chatId }) => chosen.has(chatId))} shown={shown} onChoose={choose} />
        </Suspense>
      )}
    </nav>
  );
}

function withToggled(before: ReadonlySet<string>, chatId: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(chatId)) after.add(chatId);
  return after;
}

interface LinesProps {
  readonly lines: readonly ChatLine[];
  readonly chosen: ReadonlySet<string> | undefined;
  readonly onToggle: (chatId: string) => void;
}

function Lines({ lines, chosen, onToggle }: LinesProps) {
  const { approvals, questions } = usePending();
  const waiting = useMemo(() => new Set([...approvals, ...questions].map(({ chatId }) => chatId)), [approvals, questions]);
  const route = useRoute();
  const actions = useChatActions();
  const [condemned, condemn] = useState<ChatMeta>();
  const scroller = useRef<HTMLDivElement>(null);
  const draw = (line: ChatLine) =>
    line.kind === 'day' ? (
      <h2 className="chat-list-day" title={line.folder}>
        {line.folder === undefined ? t(line.day) : line.day}
      </h2>
    ) : (
      <ChatRow
        chat={line.chat}
        isCurrent={route.page === 'chat' && route.id === line.chat.chatId}
        isWaiting={waiting.has(line.chat.chatId)}
        {...(chosen ? { isChosen: chosen.has(line.chat.chatId), onToggle } : {})}
        actions={actions}
        onDelete={condemn}
      />
    );
  return (
    <div className="chat-list-scroller" ref={scroller}>
      {lines.length > drawnAtOnce ? (
        <Virtualizer as="ul" item="li" scrollRef={scroller} data={lines} bufferSize={400}>
          {(line) => <Line key={keyOf(line)}>{draw(line)}</Line>}
        </Virtualizer>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={keyOf(line)}>{draw(line)}</li>
          ))}
        </ul>
      )}
      {condemned && (
        <DeleteDialog
          chat={condemned}
          onAnswer={(isSure) => {
            condemn(undefined);
            if (isSure) actions.remove(condemned);
          }}
        />
      )}
    </div>
  );
}

function Line({ children }: { readonly children: React.ReactNode }) {
  return children;
}

function keyOf(line: ChatLine): string {
  return line.kind === 'day' ? `/${line.folder ?? line.day}` : line.chat.chatId;
}
