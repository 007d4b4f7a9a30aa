// Renders the button that reads one message aloud, and stops it.
import type { AssistantEntry } from 'agent-harness/client';
import { Square, Volume2 } from 'lucide-react';
import { use } from 'react';
import { ChatContext, useClient } from '#page/kit/hooks.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { spokenRepliesOf } from './load-spoken-replies.ts';
import { speechStateOf } from './speech-state.ts';
import { t } from '#page/kit/t.ts';

export function ReadAloudButton({ entry: { id, text } }: { readonly entry: AssistantEntry }) {
  const client = useClient();
  const chatId = use(ChatContext)?.chatId;
  const isOn = useSelected(client.connection, ({ config }) => config?.ttsEnabled === true);
  const isRead = useSelected(speechStateOf(client), ({ now }) => now?.messageId === id);
  if (!isOn || chatId === undefined) return null;
  const press = (): void => void spokenRepliesOf(client).then((replies) => (isRead ? replies.stop('stop') : replies.read(chatId, id, text)));
  return (
    <button type="button" className="quiet-button message-pinned" onClick={press}>
      {isRead ? <Square size={14} aria-hidden /> : <Volume2 size={14} aria-hidden />}
      <span>{isRead ? t('Stop reading') : t('Read aloud')}</span>
    </button>
  );
}
