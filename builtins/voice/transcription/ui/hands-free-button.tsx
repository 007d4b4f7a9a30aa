// Begins and ends a conversation without hands, beside the field for messages.
import type { OpenChat } from 'agent-harness/client';
import { Headset } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { useSpokenOutput } from '#page/points/use-contributions.ts';
import { handsFreeStateOf } from './hands-free-state.ts';
import { handsFreeOf } from './load-hands-free.ts';
import { t } from '#page/kit/t.ts';

const Strip = lazyPart(async () => (await import('./hands-free-strip.tsx')).HandsFreeStrip);

export function HandsFreeButton({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const isOn = useSelected(client.connection, ({ config }) => config?.transcribeEnabled === true);
  return isOn && chat ? <Button chat={chat} /> : null;
}

function Button({ chat }: { readonly chat: OpenChat }) {
  const client = useClient();
  const { chatId } = chat;
  const speak = useSpokenOutput();
  const state = useStore(handsFreeStateOf(client));
  const isRunning = state.phase !== 'off' && state.phase !== 'failed' && state.chatId === chatId;

  const shownChat = useRef<string>(undefined);

  // Another chat is another conversation.
  useEffect(() => {
    shownChat.current = chatId;
    return () => {
      shownChat.current = undefined;
      const { phase, chatId: own } = handsFreeStateOf(client).get();
      if (phase !== 'off' && own === chatId) void handsFreeOf(client).then((handsFree) => handsFree.end());
    };
  }, [client, chatId]);

  async function press(): Promise<void> {
    const handsFree = await handsFreeOf(client);
    if (isRunning) return handsFree.end();
    const isSpoken = client.connection.get().config?.ttsEnabled === true;
    const output = isSpoken ? await speak?.(client).catch(() => undefined) : undefined;
    // Who went elsewhere while it was loaded is not listened to.
    if (shownChat.current === chatId) handsFree.start(chat, output);
  }

  return (
    <button
      type="button"
      className="button bare icon composer-tool hands-free-button"
      aria-label={t('Hands-free')}
      aria-pressed={isRunning}
      title={isRunning ? t('End the conversation without hands') : t('Talk without hands: what you say is sent, replies are spoken')}
      onClick={() => void press()}
    >
      <Headset size={18} aria-hidden />
    </button>
  );
}

/** Over the composer, while there is something to show. */
export function HandsFreeArea({ chat }: { readonly chat?: OpenChat | undefined }) {
  const state = useStore(handsFreeStateOf(useClient()));
  if (state.phase === 'off' || state.chatId !== chat?.chatId) return null;
  return (
    <Suspense>
      <Strip state={state} />
    </Suspense>
  );
}
