// Where decisions will stand: their cards come with the first one that waits, since most looks at a chat need none.
import type { OpenChat } from 'agent-harness/client';
import { Suspense, useState } from 'react';
import { WaitingElsewhere } from '../../attention/waiting-elsewhere.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import { useSelected } from '../../kit/use-selected.ts';

const Decisions = lazyPart(async () => (await import('./decisions.tsx')).Decisions);

export function DecisionDock({ chat }: { readonly chat: OpenChat }) {
  const isNeeded = useSelected(chat.state, ({ approvals, questions }) => approvals.length + questions.length > 0);
  const [wasNeeded, setNeeded] = useState(isNeeded);
  // They stay after the last one is decided, or the focus would be lost with them.
  if (isNeeded && !wasNeeded) setNeeded(true);
  const elsewhere = <WaitingElsewhere chatId={chat.chatId} />;
  if (!isNeeded && !wasNeeded) return elsewhere;
  return (
    <Suspense fallback={elsewhere}>
      <Decisions chat={chat} />
    </Suspense>
  );
}
