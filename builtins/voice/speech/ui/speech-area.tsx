// Renders the area above the composer during speech, or a notice about it.
import type { OpenChat } from 'agent-harness/client';
import { Suspense, use, useEffect } from 'react';
import { ChatContext, useClient, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { spokenRepliesOf } from './load-spoken-replies.ts';
import { speakerIdOf } from './speaker-id.ts';
import { speakerOf } from './speech-calls.ts';
import { readSpoken, speechStateOf, withIn, withOut } from './speech-state.ts';

const Strip = lazyPart(async () => (await import('./speech-strip.tsx')).SpeechStrip);
const Elsewhere = lazyPart(async () => (await import('./speech-elsewhere.tsx')).SpeechElsewhere);

export function SpeechArea({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const store = speechStateOf(client);
  const state = useStore(store);
  const chatId = chat?.chatId;
  const isAvailable = useSelected(client.connection, ({ config }) => config?.ttsEnabled === true);
  useEffect(() => {
    if (isAvailable && chatId !== undefined && readSpoken().has(chatId)) void spokenRepliesOf(client).then((replies) => replies.restore(chatId));
  }, [client, chatId, isAvailable]);
  useEffect(
    () =>
      client.on((event) => {
        const claim = speakerOf(event);
        if (!claim) return;
        const { elsewhere } = store.get();
        // The event of this page's own claim may arrive before the reply to the claim.
        const isElsewhere = claim.speakerId !== undefined && claim.speakerId !== speakerIdOf(client);
        store.set({ ...store.get(), elsewhere: isElsewhere ? withIn(elsewhere, claim.chatId) : withOut(elsewhere, claim.chatId) });
      }),
    [client, store],
  );
  if (chatId === undefined || !(state.now || state.elsewhere.has(chatId) || state.problem !== undefined)) return null;
  return (
    <Suspense>
      <Strip chatId={chatId} state={state} />
    </Suspense>
  );
}

/** Renders the controls on pages without a chat. */
export function SpeechCover() {
  const isInChat = use(ChatContext) !== undefined;
  const { now } = useStore(speechStateOf(useClient()));
  return now && !isInChat ? <Elsewhere now={now} /> : null;
}
