// Renders the composer's menu item for hands-free conversation, and its area above the composer.
import type { OpenChat } from 'agent-harness/client';
import { Headset } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Suspense, useEffect } from 'react';
import { readRoute, useClient, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { useSpokenOutput } from '#page/points/use-contributions.ts';
import { handsFreeStateOf } from './hands-free-state.ts';
import { handsFreeOf } from './load-hands-free.ts';
import { t } from '#page/kit/t.ts';

const Strip = lazyPart(async () => (await import('./hands-free-strip.tsx')).HandsFreeStrip);

export function HandsFreeButton({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const isAvailable = useSelected(client.connection, ({ config }) => config?.transcribeEnabled === true);
  const speak = useSpokenOutput();
  const state = useStore(handsFreeStateOf(client));
  if (!isAvailable || !chat) return null;
  const isRunning = state.phase !== 'off' && state.phase !== 'failed' && state.chatId === chat.chatId;

  async function press(shown: OpenChat): Promise<void> {
    const handsFree = await handsFreeOf(client);
    if (isRunning) return handsFree.end();
    const isSpoken = client.connection.get().config?.ttsEnabled === true;
    const output = isSpoken ? await speak?.(client).catch(() => undefined) : undefined;
    // Does not start if the user left the chat while the code was loading.
    if (readRoute(location.hash).id === shown.chatId) handsFree.start(shown, output);
  }

  return (
    <DropdownMenu.CheckboxItem className="more-menu-item" checked={isRunning} onSelect={() => void press(chat)}>
      <Headset size={16} aria-hidden />
      <span>
        {t('Hands-free')}
        <span className="more-menu-hint">
          {isRunning ? t('End the hands-free conversation') : t('Hands-free: your speech is sent, and replies are spoken')}
        </span>
      </span>
    </DropdownMenu.CheckboxItem>
  );
}

/** Renders the area above the composer while there is something to show. */
export function HandsFreeArea({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const state = useStore(handsFreeStateOf(client));
  const chatId = chat?.chatId;
  // Ends the conversation when another chat is opened.
  useEffect(
    () => () => {
      const { phase, chatId: own } = handsFreeStateOf(client).get();
      if (phase !== 'off' && own === chatId) void handsFreeOf(client).then((handsFree) => handsFree.end());
    },
    [client, chatId],
  );
  if (state.phase === 'off' || state.chatId !== chatId) return null;
  return (
    <Suspense>
      <Strip state={state} />
    </Suspense>
  );
}
