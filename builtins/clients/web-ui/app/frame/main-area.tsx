// Renders the content for the current address: a chat, a page, or the panel of a plugin.
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { Suspense, useEffect, useRef, type ComponentType } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import { goTo, hashOf, readRoute, redirectTo, useClient, useRoute, useStore, type Route } from '../kit/hooks.ts';
import { OtherChatsWaiting } from '../attention/other-chats-waiting.tsx';
import { pageAt, routeOf } from '../points/contribution.ts';
import { PanelPage } from '../points/panel-page.tsx';
import { Region } from '../kit/region.tsx';
import { TopBar } from '../kit/top-bar.tsx';
import type { ShownChat } from './use-open-chat.ts';
import { usePages } from '../points/use-contributions.ts';
import { useViewsKnown } from '../points/view-contribution.ts';
import { t } from '../kit/t.ts';

const noChat = /* t */ 'No chat yet. Start one on the computer, and it opens here.';

export type ChatPage = ComponentType<{ readonly chat: OpenChat; readonly meta: ChatMeta }>;

interface MainAreaProps {
  readonly shown: ShownChat;
  readonly ChatPage: ChatPage;
}

export function MainArea({ shown, ChatPage }: MainAreaProps) {
  const route = useRoute();
  const { page, id } = route;
  const main = useRef<HTMLElement>(null);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    // Makes screen readers continue at the start of the new page.
    if (page !== 'chat') main.current?.focus({ preventScroll: true });
  }, [page]);
  return (
    <main className="frame-main" ref={main} tabIndex={-1}>
      {page === 'chat' ? (
        <ChatOrWait shown={shown} ChatPage={ChatPage} />
      ) : (
        <>
          <TopBar />
          {page !== 'waiting' && <OtherChatsWaiting />}
          <div className="frame-page" key={`${page}/${id ?? ''}`}>
            <Region name={t('The page')} resetKey={page}>
              <Suspense fallback={<Wait text={t('Loading…')} />}>
                <Page route={route} />
              </Suspense>
            </Region>
          </div>
        </>
      )}
    </main>
  );
}

function Page({ route }: { readonly route: Route }) {
  const { config } = useStore(useClient().connection);
  const pages = usePages();
  const areViewsKnown = useViewsKnown();
  const found = pageAt(pages, route);
  // A view is also reachable by its name alone: `#/usage`.
  const view = found || route.id !== undefined ? undefined : pageAt(pages, { page: 'view', id: route.page });
  if (view) return <Redirect to={{ ...routeOf(view), ...(route.query ? { query: route.query } : {}) }} />;
  if (found || route.page === 'panel') return <HostOnly isOff={found?.isForGuests === true}>{found ? <found.Page /> : <PanelPage />}</HostOnly>;
  // It is not known yet whether the plugin is loaded.
  return config && areViewsKnown ? <Missing what={t('This page does not exist.')} /> : <Wait text={t('Loading…')} />;
}

function Redirect({ to }: { readonly to: Route }) {
  const address = hashOf(to);
  useEffect(() => redirectTo(readRoute(address)), [address]);
  return <Wait text={t('Loading…')} />;
}

function ChatOrWait({ shown: { chat, meta, isMissing, hasNone }, ChatPage }: MainAreaProps) {
  const { rest } = useStore(useClient().connection);
  if (chat && meta) return <ChatPage chat={chat} meta={meta} />;
  return (
    <>
      <TopBar />
      {isMissing ? (
        <Missing what={t('This chat does not exist or was deleted.')} />
      ) : (
        <Wait text={rest === 'down' ? t('The server does not respond. The page continues as soon as it does.') : hasNone ? t(noChat) : t('Opening…')} />
      )}
    </>
  );
}

function Wait({ text }: { readonly text: string }) {
  return (
    <div className="frame-wait muted" aria-busy="true">
      <p>{text}</p>
    </div>
  );
}

function Missing({ what }: { readonly what: string }) {
  return (
    <div className="frame-wait">
      <h1>{t('Not found')}</h1>
      <p className="muted">{what}</p>
      <button type="button" className="button" onClick={() => goTo({ page: 'chat' })}>
        {t('Go to the chats')}
      </button>
    </div>
  );
}
