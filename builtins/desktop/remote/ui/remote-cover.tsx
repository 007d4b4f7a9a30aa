// Renders the overlay on every page of the host: the guest bar, requests for control, and new codes.
import { Suspense, useState } from 'react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useKnownPermission } from '#page/points/use-permission.ts';
import { useRemote } from './use-remote.ts';

const GuestBar = lazyPart(async () => (await import('./guest-bar.tsx')).GuestBar);
const ClaimDialog = lazyPart(async () => (await import('./claim-dialog.tsx')).ClaimDialog);
const CodeDialog = lazyPart(async () => (await import('./code-dialog.tsx')).CodeDialog);

/** Renders the overlay once the server has confirmed that the page belongs to the owner; other clients may not list guests. */
export function RemoteCover() {
  return useKnownPermission() ? <Cover /> : null;
}

function Cover() {
  const { value, reload } = useRemote();
  const [isCodeShown, showCode] = useState(false);
  useEvents(
    ({ kind, what }) => kind === 'remote_session' && what === 'code' && !document.hidden,
    0,
    () => showCode(true),
  );
  // Hides the code after a guest has joined, because the guest also sees this window.
  useEvents(
    ({ kind, what }) => kind === 'remote_session' && (what === 'joined' || what === 'ended'),
    0,
    () => showCode(false),
  );
  if (!value) return null;
  const { guests, codes } = value;
  const claim = guests.find(({ state }) => state === 'waiting');
  return (
    <Suspense>
      {guests.length > 0 && <GuestBar guests={guests} onChanged={reload} />}
      {claim && <ClaimDialog key={claim.guestId} guest={claim} onChanged={reload} />}
      {isCodeShown && !claim && codes.length > 0 && <CodeDialog codes={codes} onChanged={reload} onClose={() => showCode(false)} />}
    </Suspense>
  );
}
