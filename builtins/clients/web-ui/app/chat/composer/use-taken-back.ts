// What waited behind a turn that was stopped comes back into the field, before what is being written.
import type { OpenChat } from 'agent-harness/client';
import { useEffect } from 'react';
import { useStore } from '../../kit/hooks.ts';

export function useTakenBack(chat: OpenChat, text: string, setText: (text: string) => void): void {
  const takenBack = useStore(chat.takenBack);
  useEffect(() => {
    const texts = takenBack.length === 0 ? [] : chat.takeBack();
    if (texts.length > 0) setText([...texts, text].filter((one) => one.trim() !== '').join('\n\n'));
  }, [chat, takenBack, text, setText]);
}
