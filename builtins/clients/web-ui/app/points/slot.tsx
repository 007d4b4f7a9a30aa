// Where plugins add something to a part of the page.
import type { OpenChat } from 'agent-harness/client';
import { Suspense } from 'react';
import { Region } from '../kit/region.tsx';
import { partsOf, type SlotName } from './contribution.ts';
import { useContributions } from './use-contributions.ts';

interface SlotProps {
  readonly name: SlotName;
  /** In the slots of a chat. */
  readonly chat?: OpenChat;
}

export function Slot({ name, chat }: SlotProps) {
  const parts = partsOf(useContributions(), name);
  return parts.map(({ title, Part }, index) => (
    <Region key={`${title} ${index}`} name={title} {...(chat ? { resetKey: chat.chatId } : {})}>
      <Suspense fallback={<span hidden aria-busy="true" />}>
        <Part chat={chat} />
      </Suspense>
    </Region>
  ));
}
