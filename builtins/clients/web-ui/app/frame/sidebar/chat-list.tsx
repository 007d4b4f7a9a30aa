// The chats by day, with a filter. A long list draws only what is in view.
import { Archive, ArchiveX, Search } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import type { ChatMeta } from 'agent-harness/client';
import { usePending } from '../../attention/pending-context.ts';
import { goTo, useClient, useRoute, useStore } from '../../kit/hooks.ts';
import type { Icon } from '../../kit/icon.ts';
import { pageAt, routeOf } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import { filterChats, linesOf, type ChatLine } from './chat-groups.ts';
import { ChatRow } from './chat-row.tsx';
import { DeleteDialog } from '../../chats/delete-dialog.tsx';
import { NewChatButton } from './new-chat-button.tsx';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import { useClock } from '../../kit/use-clock.ts';
import { timeAgo } from '../../kit/words.ts';
import './chat-list.css';

const drawnAtOnce = 200;
const minute = 60_000;

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
  const shown = useMemo(() => filterChats(held, wanted), [held, wanted]);
  const others = chats.length - held.length;
  const lines = useMemo(() => linesOf(shown, now), [shown, now]);
  return (
    <nav className="chat-list" aria-label="Chats">
      <NewChatButton />
      <div className="chat-list-tools">
        <div className="chat-list-filter">
          <Search size={16} aria-hidden />
          <input
            className="field"
            type="search"
            aria-label="Search chats"
            placeholder={isArchive ? 'Search archive' : 'Search chats'}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || query === '') return;
              event.stopPropagation();
              setQuery('');
            }}
          />
        </div>
        {(isArchive || others > 0) && (
          <ToolButton
            name={isArchive ? 'Back to the chats' : `Archived (${others})`}
            icon={isArchive ? ArchiveX : Archive}
            isOn={isArchive}
            onPress={() => showArchive(!isArchive)}
          />
        )}
        {pages.map((link) => (
          <ToolButton key={link.title} name={link.title} icon={link.icon} isOn={link === current} onPress={() => goTo(routeOf(link))} />
        ))}
      </div>
      <Lines lines={lines} now={now} />
      {isLoaded && lines.length === 0 && (
        <p className="chat-list-none muted small">
          {held.length > 0 ? `No chat is called “${wanted}”.` : isArchive ? 'No chat is archived.' : 'No chats yet.'}
        </p>
      )}
    </nav>
  );
}

function ToolButton({ name, icon: Icon, isOn, onPress }: { name: string; icon: Icon; isOn: boolean; onPress: () => void }) {
  return (
    <button type="button" className="button bare icon" aria-label={name} title={name} data-on={isOn || undefined} onClick={onPress}>
      <Icon size={16} aria-hidden />
    </button>
  );
}

function Lines({ lines, now }: { readonly lines: readonly ChatLine[]; readonly now: Date }) {
  const { approvals, questions } = usePending();
  const waiting = useMemo(() => new Set([...approvals, ...questions].map(({ chatId }) => chatId)), [approvals, questions]);
  const route = useRoute();
  const actions = useChatActions();
  const [condemned, condemn] = useState<ChatMeta>();
  const scroller = useRef<HTMLDivElement>(null);
  const draw = (line: ChatLine) =>
    line.kind === 'day' ? (
      <h2 className="chat-list-day">{line.day}</h2>
    ) : (
      <ChatRow
        chat={line.chat}
        age={timeAgo(line.chat.updatedAt, now)}
        isCurrent={route.page === 'chat' && route.id === line.chat.chatId}
        isWaiting={waiting.has(line.chat.chatId)}
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
  return line.kind === 'day' ? line.day : line.chat.chatId;
}
