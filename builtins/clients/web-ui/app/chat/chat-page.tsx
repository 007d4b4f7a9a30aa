// A chat: its header, what was said, what waits for a decision, and where to write.
import { useEffect, useRef } from 'react';
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { Composer } from './composer/composer.tsx';
import { Decisions } from './decisions/decisions.tsx';
import { useClient, useStore } from '../kit/hooks.ts';
import { Transcript } from './transcript/transcript.tsx';
import { ChatHeader } from './chat-header.tsx';
import { Region } from '../kit/region.tsx';
import { useShell } from '../kit/shell-context.ts';
import { TrustLine } from './trust-line.tsx';
import { Slot } from '../points/slot.tsx';
import { scrollConversation, useGutter } from './use-foot.ts';
import { Welcome } from './welcome.tsx';
import './chat-page.css';

export function ChatPage({ chat, meta }: { readonly chat: OpenChat; readonly meta: ChatMeta }) {
  useActivation(chat.chatId);
  const page = useRef<HTMLDivElement>(null);
  useGutter(page, chat.chatId);
  return (
    <>
      <Region name="The header" resetKey={chat.chatId}>
        <ChatHeader key={chat.chatId} chat={chat} meta={meta} />
      </Region>
      <Slot name="header" chat={chat} />
      <div className="chat-page" ref={page}>
        <Region name="The conversation" resetKey={chat.chatId}>
          <Conversation chat={chat} />
        </Region>
        <div className="chat-page-foot" onWheel={(event) => scrollConversation(page.current, event)}>
          <Region name="What waits for trust" resetKey={chat.chatId}>
            <TrustLine key={chat.chatId} chatId={chat.chatId} />
          </Region>
          <Slot name="over-composer" chat={chat} />
          <Region name="The decisions" resetKey={chat.chatId}>
            <Decisions chat={chat} />
          </Region>
          <Region name="The message field" resetKey={chat.chatId}>
            <Composer chat={chat} />
          </Region>
        </div>
      </div>
    </>
  );
}

function Conversation({ chat }: { readonly chat: OpenChat }) {
  const { isLoaded, entries, running } = useStore(chat.state);
  const isEmpty = isLoaded && entries.length === 0 && !running;
  return (
    <div className="chat-page-conversation" data-empty={isEmpty || undefined}>
      <Transcript chat={chat} />
      {isEmpty && (
        <div className="chat-page-welcome">
          <Welcome chat={chat} />
        </div>
      )}
    </div>
  );
}

/** The server's active chat is the one that other clients open first. */
function useActivation(chatId: string): void {
  const client = useClient();
  const { attempt } = useShell();
  useEffect(() => {
    if (client.chats.get().activeChatId === chatId) return;
    attempt(() => client.call('POST /api/chats/:id/activate', { params: { id: chatId } }));
  }, [client, attempt, chatId]);
}
