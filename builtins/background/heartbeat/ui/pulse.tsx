// Reserves the space of the Pulse strip until its code is loaded.
import type { OpenChat } from 'agent-harness/client';
import { Suspense } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import './pulse.css';

const PulseStrip = lazyPart(async () => (await import('./pulse-strip.tsx')).PulseStrip);

export function Pulse({ chat }: { readonly chat?: OpenChat | undefined }) {
  const { config } = useStore(useClient().connection);
  if (!chat || !config?.heartbeatUiStrip) return null;
  return (
    <Suspense fallback={<div className="pulse" aria-hidden />}>
      <PulseStrip key={chat.chatId} chat={chat} />
    </Suspense>
  );
}
