// The chats by day, with a filter. A long list draws only what is in view.
import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import type { ChatMeta } from 'agent-harness/client';
import { usePending } from '../composer/pending-context.ts';
import { useClient, useRoute, useStore } from '../hooks.ts';
import { filterChats, linesOf, type ChatLine } from './chat-groups.ts';
import { ChatRow } from './chat-row.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { NewChatButton } from './new-chat-button.tsx';
import { useChatActions } from './use-chat-actions.ts';
import { useClock } from './use-clock.ts';
import { timeAgo } from './words.ts';
import './chat-list.css';

const drawnAtOnce = 200;
const minute = 60_000;

export function ChatList() {
  const client = useClient();
  const { chats, isLoaded } = useStore(client.chats);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const now = useClock(minute);
  const shown = useMemo(() => filterChats(chats, wanted), [chats, wanted]);
  const lines = useMemo(() => linesOf(shown, now), [shown, now]);
  return (
    <nav className="chat-list" aria-label="Chats">
      <NewChatButton />
      <div className="chat-list-filter">
        <Search size={16} aria-hidden />
        <input
          className="field"
          type="search"
          aria-label="Search chats"
          placeholder="Search chats"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || query === '') return;
            event.stopPropagation();
            setQuery('');
          }}
        />
      </div>
      <Lines lines={lines} now={now} />
      {isLoaded && lines.length === 0 && (
        <p className="chat-list-none muted small">{chats.length === 0 ? 'No chats yet.' : `No chat is called “${wanted}”.`}</p>
      )}
    </nav>
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
