// Renders the page of a chat: header, conversation, pending decisions, and composer.
import { useEffect, useMemo, useRef } from 'react';
import type { ChatMeta, ChatState, OpenChat } from 'agent-harness/client';
import { isDraft } from 'agent-harness/transcript';
import { Composer } from './composer/composer.tsx';
import { DecisionDock } from './decisions/dock.tsx';
import { useClient, useStore } from '../kit/hooks.ts';
import { createFileLookup, FileLookupContext } from '../kit/file-lookup.ts';
import { OpenFileContext } from '../kit/open-file-context.ts';
import { paneOf } from '../points/pane.ts';
import { useContributions, usePaneTabs } from '../points/use-contributions.ts';
import { Pane, PaneButton } from './pane/pane.tsx';
import { usePaneCounts } from './pane/use-pane-counts.ts';
import { Transcript } from './transcript/transcript.tsx';
import { ChatHeader } from './chat-header.tsx';
import { Region } from '../kit/region.tsx';
import { useSelected } from '../kit/use-selected.ts';
import { useShell } from '../kit/shell-context.ts';
import { TrustLine } from './trust-line.tsx';
import { Slot } from '../points/slot.tsx';
import { usePermission, useKnownPermission } from '../points/use-permission.ts';
import { scrollConversation, useGutter } from './use-chat-footer.ts';
import { FirstRun } from './first-run.tsx';
import { useIsFirstRun } from './use-first-run.ts';
import { Examples, Greeting } from './welcome.tsx';
import { t } from '../kit/t.ts';
import './chat-page.css';

export function ChatPage({ chat, meta }: { readonly chat: OpenChat; readonly meta: ChatMeta }) {
  useActivation(chat.chatId);
  const page = useRef<HTMLDivElement>(null);
  useGutter(page, chat.chatId);
  const maySend = usePermission('chats.write');
  const unused = useSelected(chat.state, isUnused);
  // Until the chat has been loaded, its metadata decides, because the message field must not move.
  const isEmpty = (unused ?? isDraft(meta)) && maySend;
  const isFirstRun = useIsFirstRun() && isEmpty;
  const mayTrust = useKnownPermission();
  const client = useClient();
  const counts = usePaneCounts(chat, usePaneTabs());
  /** Without a tab, the pane would be empty. */
  const hasPane = useStore(paneOf(client)).isOpen || Object.values(counts).some((count) => count > 0);
  const { openFile: show, hasFile } = useContributions().find((one) => one.openFile) ?? {};
  const openFile = useMemo(() => show && ((path: string, line?: number) => show(client, path, line)), [show, client]);
  const lookUp = useMemo(() => hasFile && createFileLookup((name) => hasFile(client, chat.chatId, name)), [hasFile, client, chat.chatId]);
  return (
    <OpenFileContext value={openFile}>
      <FileLookupContext value={lookUp}>
        <div className="chat-beside">
          <div className="chat-column">
            <Region name={t('The header')} resetKey={chat.chatId}>
              <ChatHeader key={chat.chatId} chat={chat} meta={meta} isBare={isFirstRun} end={hasPane && <PaneButton counts={counts} />} />
            </Region>
            <Slot name="header" chat={chat} />
            <div className="chat-page" ref={page} data-empty={isEmpty || undefined}>
              <Region name={t('The conversation')} resetKey={chat.chatId}>
                <Transcript chat={chat} />
                {isEmpty && (isFirstRun ? <FirstRun chat={chat} meta={meta} /> : <Greeting chat={chat} />)}
              </Region>
              <div className="chat-page-foot" onWheel={(event) => scrollConversation(page.current, event)}>
                <Region name={t('The trust notice')} resetKey={chat.chatId}>
                  {mayTrust && !isFirstRun && <TrustLine key={chat.chatId} chatId={chat.chatId} />}
                </Region>
                <Slot name="over-composer" chat={chat} />
                <Region name={t('The decisions')} resetKey={chat.chatId}>
                  <DecisionDock chat={chat} />
                </Region>
                <Region name={t('The message field')} resetKey={chat.chatId}>
                  {maySend ? (
                    <Composer chat={chat} isFirstRun={isFirstRun} />
                  ) : (
                    <p className="chat-page-reader muted small">{t('This device is read-only.')}</p>
                  )}
                </Region>
              </div>
              {isEmpty && <Examples chat={chat} />}
            </div>
          </div>
          <Region name={t('The pane')} resetKey={chat.chatId}>
            <Pane chat={chat} counts={counts} />
          </Region>
        </div>
      </FileLookupContext>
    </OpenFileContext>
  );
}

/** Returns whether the chat has no messages; `undefined` until it is loaded. */
const isUnused = ({ isLoaded, entries, running }: ChatState): boolean | undefined => (isLoaded ? entries.length === 0 && !running : undefined);

/** Makes the chat the server's active one, which other clients open first. */
function useActivation(chatId: string): void {
  const client = useClient();
  const { attempt } = useShell();
  const may = useKnownPermission('chats.manage');
  useEffect(() => {
    if (!may || client.chats.get().activeChatId === chatId) return;
    attempt(() => client.call('POST /api/chats/:id/activate', { params: { id: chatId } }));
  }, [client, attempt, chatId, may]);
}
