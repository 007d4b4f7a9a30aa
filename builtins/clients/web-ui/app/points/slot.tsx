// Renders the components that plugins contribute to a slot of the page.
import type { OpenChat } from 'agent-harness/client';
import { Suspense } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import { Region } from '../kit/region.tsx';
import { partsOf, type SlotName } from './contribution.ts';
import { useContributions } from './use-contributions.ts';
import { t } from '../kit/t.ts';

interface SlotProps {
  readonly name: SlotName;
  /** Chat of the slot; omitted outside chats. */
  readonly chat?: OpenChat;
}

export function Slot({ name, chat }: SlotProps) {
  const parts = partsOf(useContributions(), name);
  return parts.map(({ title, Part, isForGuests = false }, index) => (
    <Region key={`${title} ${index}`} name={t(title)} {...(chat ? { resetKey: chat.chatId } : {})}>
      <Suspense fallback={<span hidden aria-busy="true" />}>
        <HostOnly isOff={isForGuests}>
          <Part chat={chat} />
        </HostOnly>
      </Suspense>
    </Region>
  ));
}
