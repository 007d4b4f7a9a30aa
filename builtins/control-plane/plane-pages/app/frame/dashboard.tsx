// Renders the dashboard: the signed-in user, the navigation, and the current page.
import { useRoute } from '#page/kit/hooks.ts';
import { Loading, Problem } from '#page/kit/page/when-loaded.tsx';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
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
import { SessionEnded } from './session-ended.tsx';
import { refusedSection, sectionsFor } from './sections.ts';
import { SideBar } from './side-bar.tsx';
import '#page/kit/page/pages.css';
import '#page/kit/frame.css';
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
    // Selecting another organisation remounts the dashboard.
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
  const refused = section ? undefined : refusedSection(page, membership);
  const title = section?.title ?? refused?.title ?? 'Not found';
  const main = useRef<HTMLElement>(null);
  const place = `${page}/${route.id ?? ''}`;
  const shownBefore = useRef(place);
  useEffect(() => {
    document.title = `${title} · ${membership.org.name} · ${brand}`;
    if (shownBefore.current === place) return;
    shownBefore.current = place;
    openDrawer(false);
    main.current?.focus({ preventScroll: true });
    main.current?.querySelector('.plane-page')?.scrollTo(0, 0);
  }, [place, title, membership.org.name, brand]);
  const sidebar = useMemo(() => ({ end: null, isShown: !isPhone, toggle: () => openDrawer((isOpen) => !isOpen), leave: () => openDrawer(false) }), [isPhone]);
  const side = <SideBar sections={sections} page={page} />;

  return (
    <div className="plane">
      <a className="button skip-link" href="#plane-main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
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
      <main className="frame-main" id="plane-main" ref={main} tabIndex={-1}>
        {isPhone && (
          <SidebarContext value={sidebar}>
            <TopBar menuLabel="Show pages">
              <span className="plane-top">{membership.org.name}</span>
            </TopBar>
          </SidebarContext>
        )}
        <div className="plane-page">
          <Region name={`The page ${title}`} resetKey={page}>
            <Suspense fallback={<Loading what="page" />}>{section ? <section.Page /> : <NotFound refused={refused} />}</Suspense>
          </Region>
        </div>
      </main>
      <SessionEnded />
    </div>
  );
}

function NotFound({ refused }: { readonly refused: ReturnType<typeof refusedSection> }) {
  return (
    <PageFrame title={refused ? `${refused.title} is not available` : 'Page not found'} intro={refused?.why ?? 'No page exists at this address.'}>
      <a className="button" href="#/">
        Go to the overview
      </a>
    </PageFrame>
  );
}
