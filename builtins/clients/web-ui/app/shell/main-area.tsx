// What the address names: a chat, a page, or a plugin's panel.
import { Suspense, useEffect, useRef } from 'react';
import { goTo, useClient, useRoute, useStore } from '../hooks.ts';
import { WaitingElsewhere } from '../composer/waiting-elsewhere.tsx';
import { PanelPage } from '../panels/panel-page.tsx';
import { ChatPage } from './chat-page.tsx';
import { ChangesPage } from './pages.tsx';
import { Region } from './region.tsx';
import { TopBar } from './top-bar.tsx';
import type { ShownChat } from './use-open-chat.ts';
import { useShownPages } from './use-shown-pages.ts';

export function MainArea({ shown }: { readonly shown: ShownChat }) {
  const { page, id } = useRoute();
  const main = useRef<HTMLElement>(null);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    // Screen readers go on where the new page begins.
    if (page !== 'chat') main.current?.focus({ preventScroll: true });
  }, [page]);
  return (
    <main className="frame-main" ref={main} tabIndex={-1}>
      {page === 'chat' || page === 'pair' ? (
        <ChatOrWait shown={shown} />
      ) : (
        <>
          <TopBar />
          <WaitingElsewhere />
          <div className="frame-page" key={`${page}/${id ?? ''}`}>
            <Region name="The page" resetKey={page}>
              <Suspense fallback={<Wait text="Loading…" />}>
                <Page page={page} id={id} />
              </Suspense>
            </Region>
          </div>
        </>
      )}
    </main>
  );
}

function Page({ page, id }: { readonly page: string; readonly id: string | undefined }) {
  const { config } = useStore(useClient().connection);
  const pages = useShownPages();
  if (page === 'panel' && id !== undefined) return <PanelPage id={id} />;
  if (page === 'changes' && id !== undefined) return <ChangesPage />;
  const found = pages.find((one) => one.page === page);
  if (found) return <found.Page />;
  // Whether its plugin is there, nobody said yet.
  return config ? <Missing what="There is no such page." /> : <Wait text="Loading…" />;
}

function ChatOrWait({ shown: { chat, meta, isMissing } }: { readonly shown: ShownChat }) {
  const { rest } = useStore(useClient().connection);
  if (chat && meta) return <ChatPage chat={chat} meta={meta} />;
  return (
    <>
      <TopBar />
      {isMissing ? (
        <Missing what="This chat does not exist (any more)." />
      ) : (
        <Wait text={rest === 'down' ? 'The server does not answer. The page goes on as soon as it does.' : 'Opening…'} />
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
      <h1>Not found</h1>
      <p className="muted">{what}</p>
      <button type="button" className="button" onClick={() => goTo({ page: 'chat' })}>
        Go to the chats
      </button>
    </div>
  );
}
