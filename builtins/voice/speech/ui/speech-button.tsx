// Whether this page speaks the replies of the chat.
import type { OpenChat } from 'agent-harness/client';
import { Volume2, VolumeOff } from 'lucide-react';
import { useEffect } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { spokenRepliesOf } from './load-spoken-replies.ts';
import { readSpoken, speechStateOf } from './speech-state.ts';
import { t } from '#page/kit/t.ts';

export function SpeechButton({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const isOn = useSelected(client.connection, ({ config }) => config?.ttsEnabled === true);
  return isOn && chat ? <Button chatId={chat.chatId} /> : null;
}

function Button({ chatId }: { readonly chatId: string }) {
  const client = useClient();
  const { own } = useStore(speechStateOf(client));
  const isOn = own.has(chatId);
  useEffect(() => {
    if (readSpoken().has(chatId)) void spokenRepliesOf(client).then((replies) => replies.restore(chatId));
  }, [client, chatId]);

  async function press(): Promise<void> {
    const replies = await spokenRepliesOf(client);
    // Why not stands over the composer.
    await replies.turn(chatId, !isOn).catch(() => undefined);
  }

  return (
    <button
      type="button"
      className="button bare icon composer-tool speech-button"
      aria-label={t('Speak replies')}
      aria-pressed={isOn}
      title={isOn ? t('Replies of this chat are spoken here') : t('Speak the replies of this chat')}
      onClick={() => void press()}
    >
      {isOn ? <Volume2 size={18} aria-hidden /> : <VolumeOff size={18} aria-hidden />}
    </button>
  );
}
