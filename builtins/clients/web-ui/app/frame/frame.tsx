// Renders the frame of the page: the sidebar with the chats (a drawer on phones), and the content for the current address.
import { Suspense, useCallback, useMemo, useState } from 'react';
import { PendingContext } from '../attention/pending-context.ts';
import { useAttention } from '../attention/use-attention.ts';
import { useReadPending } from '../attention/use-read-pending.ts';
import { ChatContext, goTo, useClient } from '../kit/hooks.ts';
import { Connection } from './connection.tsx';
import { Dialogs } from './dialogs.tsx';
import { lazyPart } from '../kit/lazy-part.ts';
import { focusMessage } from '../kit/message-focus.ts';
import { MainArea, type ChatPage } from './main-area.tsx';
import { Region } from '../kit/region.tsx';
import { useShell } from '../kit/shell-context.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import { togglePane } from '../points/pane.ts';
import { Slot } from '../points/slot.tsx';
import { usePermission, useKnownPermission } from '../points/use-permission.ts';
import { SidebarContext } from '../kit/top-bar.tsx';
import { useChatActions } from '../chats/use-chat-actions.ts';
import { phone, useMedia } from '../kit/use-media.ts';
import { useOpenChat } from './use-open-chat.ts';
import { usePageTitle } from './use-page-title.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useVisibleHeight } from './use-visible-height.ts';
import { t } from '../kit/t.ts';
import '../kit/frame.css';
import './frame.css';

const Drawer = lazyPart(async () => (await import('./sidebar/drawer.tsx')).Drawer);

/** Storage key for a hidden sidebar on a wide page. */
const key = 'sidebar';

/** @param ChatPage renders the open chat */
export function Frame({ ChatPage }: { readonly ChatPage: ChatPage }) {
  const shown = useOpenChat();
  const isPhone = useMedia(phone);
  const [isSideShown, showSide] = useState(!isPhone && localStorage.getItem(key) !== 'hidden');
  const [wasPhone, setWasPhone] = useState(isPhone);
  if (wasPhone !== isPhone) {
    setWasPhone(isPhone);
    showSide(!isPhone && localStorage.getItem(key) !== 'hidden');
  }
  const hide = useCallback(() => showSide(false), []);
  const sidebar = useMemo(
    () => ({
      end: <Connection />,
      isShown: isSideShown,
      toggle() {
        if (!isPhone) localStorage.setItem(key, isSideShown ? 'hidden' : 'shown');
        showSide(!isSideShown);
      },
      leave() {
        if (isPhone) showSide(false);
      },
    }),
    [isSideShown, isPhone],
  );
  const client = useClient();
  const pending = useReadPending(client, useKnownPermission('approvals.read'));
  usePageTitle(shown.meta?.title, pending);
  useAttention(client, pending);
  useVisibleHeight();
  useKeys(sidebar.toggle);
  return (
    <SidebarContext value={sidebar}>
      <PendingContext value={pending}>
        <ChatContext value={shown.chat}>
          <div className="frame">
            <button type="button" className="button primary skip-link" onClick={skipToMessage}>
              {t('Skip to the message field')}
            </button>
            {isSideShown && !isPhone && (
              <aside className="frame-side" aria-label={t('Sidebar')}>
                <Region name={t('The list of chats')}>
                  <Sidebar />
                </Region>
              </aside>
            )}
            {isSideShown && isPhone && (
              <Suspense>
                <Drawer onClose={hide} />
              </Suspense>
            )}
            <MainArea shown={shown} ChatPage={ChatPage} />
            <Dialogs />
            <Slot name="cover" />
          </div>
        </ChatContext>
      </PendingContext>
    </SidebarContext>
  );
}

function useKeys(toggleSide: () => void): void {
  const client = useClient();
  const { attempt, openDialog } = useShell();
  const actions = useChatActions();
  const mayBegin = usePermission('chats.manage');
  useShortcuts((name) => {
    if (name === 'palette' || name === 'shortcuts') openDialog(name);
    if (name === 'new-chat' && mayBegin) attempt(() => actions.create());
    if (name === 'settings') goTo({ page: 'settings' });
    if (name === 'sidebar') toggleSide();
    if (name === 'pane') togglePane(client);
  });
}

/** Moves the focus to the message field, or to the content on a page without one. */
function skipToMessage(): void {
  if (!focusMessage()) document.querySelector('main')?.focus();
}
