// Renders the composer's menu item that toggles spoken replies of the chat.
import type { OpenChat } from 'agent-harness/client';
import { Volume2, VolumeOff } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { spokenRepliesOf } from './load-spoken-replies.ts';
import { speechStateOf } from './speech-state.ts';
import { t } from '#page/kit/t.ts';

export function SpeechButton({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const isAvailable = useSelected(client.connection, ({ config }) => config?.ttsEnabled === true);
  const { own } = useStore(speechStateOf(client));
  if (!isAvailable || !chat) return null;
  const { chatId } = chat;
  const isOn = own.has(chatId);

  async function press(): Promise<void> {
    const replies = await spokenRepliesOf(client);
    // The area above the composer shows the error.
    await replies.turn(chatId, !isOn).catch(() => undefined);
  }

  return (
    <DropdownMenu.CheckboxItem className="more-menu-item" checked={isOn} onSelect={() => void press()}>
      {isOn ? <Volume2 size={16} aria-hidden /> : <VolumeOff size={16} aria-hidden />}
      <span>
        {t('Speak replies')}
        <span className="more-menu-hint">{isOn ? t('Replies of this chat are spoken here') : t('Speak the replies of this chat')}</span>
      </span>
    </DropdownMenu.CheckboxItem>
  );
}
