// The dashboard: who is signed in, where they may go, and the page they are at.
import { useRoute } from '#page/kit/hooks.ts';
import { Loading, Problem } from '#page/kit/page/when-loaded.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { Region } from '#page/kit/region.tsx';
import { SidebarContext, TopBar } from '#page/kit/top-bar.tsx';
import { phone, useMedia } from '#page/kit/use-media.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { Dialog } from 'radix-ui';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { membershipOf, MembershipContext, type Membership } from '../base/me.ts';
import { call } from '../base/plane.ts';
import { GateCard } from '../gate/gate-card.tsx';
import { NoOrganisation } from './no-organisation.tsx';
import { sectionsFor } from './sections.ts';
import { SideBar } from './side-bar.tsx';
import '#page/kit/page/pages.css';
import './dashboard.css';

export function Dashboard() {
  const loaded = useLoaded('me', (signal) => call('GET /api/account/me', { signal }));
  const { value: me, problem, reload } = loaded;
  const membership = useMemo(() => (me ? membershipOf(me, reload) : undefined), [me, reload]);
  if (!me)
    return (
      <GateCard title="Control plane">
        {problem === undefined ? <Loading what="account" /> : <Problem title="The account could not be loaded." text={problem} onRetry={reload} />}
      </GateCard>
    );
  if (!membership) return <NoOrganisation me={me} onJoined={reload} />;
  return (
    // Another organisation is another dashboard.
    <MembershipContext key={membership.orgId} value={membership}>
      <Frame membership={membership} />
    </MembershipContext>
  );
}

function Frame({ membership }: { readonly membership: Membership }) {
  const { brand } = useShell();
  const isPhone = useMedia(phone);
  const [isDrawerOpen, openDrawer] = useState(false);
  const route = useRoute();
  const sections = sectionsFor(membership);
  const page = route.page === 'chat' ? 'overview' : route.page;
  const section = sections.find((one) => one.page === page);
  const title = section?.title ?? 'Not found';
  const main = useRef<HTMLElement>(null);
  const shownBefore = useRef(page);
  useEffect(() => {
    document.title = `${title} · ${membership.org.name} · ${brand}`;
    if (shownBefore.current === page) return;
    shownBefore.current = page;
    openDrawer(false);
    main.current?.focus({ preventScroll: true });
    main.current?.querySelector('.plane-page')?.scrollTo(0, 0);
  }, [page, title, membership.org.name, brand]);
  const sidebar = useMemo(() => ({ end: null, isShown: !isPhone, toggle: () => openDrawer((isOpen) => !isOpen) }), [isPhone]);
  const side = <SideBar sections={sections} page={page} />;

  return (
    <div className="plane">
      <a className="button plane-skip" href="#plane-main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the page
      </a>
      {!isPhone && (
        <aside className="plane-side" aria-label="Organisation">
          {side}
        </aside>
      )}
      {isPhone && (
        <Dialog.Root open={isDrawerOpen} onOpenChange={openDrawer}>
          <Dialog.Portal>
            <Dialog.Overlay className="modal-veil" />
            <Dialog.Content
              className="plane-drawer"
              aria-describedby={undefined}
              onClick={(event) => (event.target as Element).closest('a') && openDrawer(false)}
            >
              <Dialog.Title className="visually-hidden">Organisation and pages</Dialog.Title>
              {side}
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
      )}
      <main className="plane-main" id="plane-main" ref={main} tabIndex={-1}>
        {isPhone && (
          <SidebarContext value={sidebar}>
            <TopBar menuLabel="Show pages">
              <span className="plane-top">{membership.org.name}</span>
            </TopBar>
          </SidebarContext>
        )}
        <div className="plane-page">
          <Region name={`The page ${title}`} resetKey={page}>
            <Suspense fallback={<Loading what="page" />}>{section ? <section.Page /> : <NotFound />}</Suspense>
          </Region>
        </div>
      </main>
    </div>
  );
}

function NotFound() {
  return (
    <section className="page" aria-labelledby="not-found">
      <h1 id="not-found">Nothing is here</h1>
      <p className="muted">
        This address leads nowhere, or to something that your role or your plan does not have. <a href="#/">Go to the overview</a>
      </p>
    </section>
  );
}
