// Loads the decision cards when the first decision is pending, because most visits to a chat need none.
import type { OpenChat } from 'agent-harness/client';
import { Suspense, useState } from 'react';
import { OtherChatsWaiting } from '../../attention/other-chats-waiting.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import { useSelected } from '../../kit/use-selected.ts';

const Decisions = lazyPart(async () => (await import('./decisions.tsx')).Decisions);

export function DecisionDock({ chat }: { readonly chat: OpenChat }) {
  const isNeeded = useSelected(chat.state, ({ approvals, questions }) => approvals.length + questions.length > 0);
  const [wasNeeded, setNeeded] = useState(isNeeded);
  // Keeps the cards mounted after the last decision, because they restore the focus.
  if (isNeeded && !wasNeeded) setNeeded(true);
  const elsewhere = <OtherChatsWaiting chatId={chat.chatId} />;
  if (!isNeeded && !wasNeeded) return elsewhere;
  return (
    <Suspense fallback={elsewhere}>
      <Decisions chat={chat} />
    </Suspense>
  );
}
