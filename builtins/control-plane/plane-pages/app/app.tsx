// Renders the page for the current address.
import { ShellProvider } from '#page/kit/notices/shell-provider.tsx';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { Region } from '#page/kit/region.tsx';
import { Suspense, useEffect, type ComponentType } from 'react';
import { nextAddress } from './base/plane.ts';
import { takeNext } from './gate/sso.ts';

const dashboard = lazyPart(async () => (await import('./frame/dashboard.tsx')).Dashboard);

const pages: Readonly<Record<string, ComponentType>> = {
  '/': dashboard,
  '/sign-in': lazyPart(async () => (await import('./gate/sign-in.tsx')).SignIn),
  '/sign-up': lazyPart(async () => (await import('./gate/sign-up.tsx')).SignUp),
  '/reset': lazyPart(async () => (await import('./gate/reset.tsx')).Reset),
  '/device': lazyPart(async () => (await import('./confirm/device.tsx')).Device),
  '/connect/harness': lazyPart(async () => (await import('./confirm/harness.tsx')).ConnectHarness),
};

export function App({ brand }: { readonly brand: string }) {
  useEffect(() => {
    const next = location.pathname === '/' ? takeNext() : undefined;
    if (next !== undefined && next !== '/') location.replace(nextAddress(`?${new URLSearchParams({ next }).toString()}`));
  }, []);
  const Page = pages[location.pathname.replace(/(?<=.)\/$/, '')] ?? dashboard;
  return (
    <Region name="The page">
      <ShellProvider brand={brand}>
        <Suspense fallback={null}>
          <Page />
        </Suspense>
      </ShellProvider>
    </Region>
  );
}
