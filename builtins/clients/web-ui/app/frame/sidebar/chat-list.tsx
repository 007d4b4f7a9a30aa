// The chats by day or by folder, with a filter, and with a choice of several. A long list draws only what is in view.
import { Archive, ArchiveX, Search } from 'lucide-react';
import { Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import type { ChatMeta } from 'agent-harness/client';
import { usePending } from '../../attention/pending-context.ts';
import { goTo, useClient, useRoute, useStore } from '../../kit/hooks.ts';
import type { Icon } from '../../kit/icon.ts';
import { pageAt, routeOf } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import { filterChats, linesOf, withoutLeft, type ChatLine, type Grouping } from './chat-groups.ts';
import { ChatRow } from './chat-row.tsx';
import { DeleteDialog } from '../../chats/delete-dialog.tsx';
import { ListOptions } from './list-options.tsx';
import { NewChatButton } from './new-chat-button.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import { useMay } from '../../points/use-may.ts';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import { useClock } from '../../kit/use-clock.ts';
import { timeAgo } from '../../kit/words.ts';
import { t } from '../../kit/t.ts';
import './chat-list.css';

const drawnAtOnce = 200;
const minute = 60_000;
const groupingKey = 'chat-grouping';
const ChosenBar = lazyPart(async () => (await import('./chosen-bar.tsx')).ChosenBar);

export function ChatList() {
  const client = useClient();
  const { chats, isLoaded } = useStore(client.chats);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const now = useClock(minute);
  const pages = usePages().filter(({ place }) => place === 'chats');
  const current = pageAt(pages, useRoute());
  const [isArchive, showArchive] = useState(false);
  const held = useMemo(() => chats.filter(({ archived }) => archived === isArchive), [chats, isArchive]);
  const { page, id } = useRoute();
  const openId = page === 'chat' ? id : undefined;
  const shown = useMemo(() => (wanted.trim() === '' ? withoutLeft(held, openId) : filterChats(held, wanted)), [held, wanted, openId]);
  const others = chats.length - held.length;
  const [grouping, setGrouping] = useState<Grouping>(() => (localStorage.getItem(groupingKey) === 'folder' ? 'folder' : 'day'));
  const lines = useMemo(() => linesOf(shown, now, grouping), [shown, now, grouping]);
  const mayManage = useMay('chats.manage');
  /** While somebody chooses several: their ids. */
  const [chosen, choose] = useState<ReadonlySet<string>>();
  const toggle = (chatId: string): void => choose((before) => before && withToggled(before, chatId));

  function group(by: Grouping): void {
    localStorage.setItem(groupingKey, by);
    setGrouping(by);
  }
  return (
    <nav className="chat-list" aria-label={t('Chats')}>
      {mayManage && <NewChatButton />}
      <div className="chat-list-tools">
        <div className="chat-list-filter">
          <Search size={16} aria-hidden />
          <input
            className="field"
            type="search"
            aria-label={t('Search chats')}
            placeholder={isArchive ? t('Search archive') : t('Search chats')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || query === '') return;
              event.stopPropagation();
              setQuery('');
            }}
          />
        </div>
        <ListOptions
          grouping={grouping}
          onGroup={group}
          isChoosing={chosen !== undefined}
          onChoose={mayManage ? () => choose(chosen === undefined ? new Set() : undefined) : undefined}
        />
        {(isArchive || others > 0) && (
          <ToolButton
            name={isArchive ? t('Back to the chats') : t('Archived ({others})', { others })}
            icon={isArchive ? ArchiveX : Archive}
            isOn={isArchive}
            onPress={() => {
              choose(undefined);
              showArchive(!isArchive);
            }}
          />
        )}
        {pages.map((link) => (
          <ToolButton key={link.title} name={t(link.title)} icon={link.icon} isOn={link === current} onPress={() => goTo(routeOf(link))} />
        ))}
      </div>
      <Lines lines={lines} now={now} chosen={chosen} onToggle={toggle} />
      {isLoaded && lines.length === 0 && (
        <p className="chat-list-none muted small">
          {held.length > 0 ? t('No chat is called “{wanted}”.', { wanted }) : isArchive ? t('No chat is archived.') : t('No chats yet.')}
        </p>
      )}
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

interface ToolButtonProps {
  readonly name: string;
  readonly icon: Icon;
  readonly isOn: boolean;
  readonly onPress: () => void;
}

function ToolButton({ name, icon: Icon, isOn, onPress }: ToolButtonProps) {
  return (
    <button type="button" className="button bare icon" aria-label={name} title={name} data-on={isOn || undefined} onClick={onPress}>
      <Icon size={16} aria-hidden />
    </button>
  );
}

interface LinesProps {
  readonly lines: readonly ChatLine[];
  readonly now: Date;
  readonly chosen: ReadonlySet<string> | undefined;
  readonly onToggle: (chatId: string) => void;
}

function Lines({ lines, now, chosen, onToggle }: LinesProps) {
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
        age={timeAgo(line.chat.updatedAt, now)}
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
