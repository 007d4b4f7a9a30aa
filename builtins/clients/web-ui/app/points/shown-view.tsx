// A view that stands in a conversation: what a tool answered or an event shows, and what a command of this page brought.
import type { View } from 'agent-harness/view';
import { Suspense, type ReactNode } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import { lazyPart } from '../kit/lazy-part.ts';

const ViewCard = lazyPart(async () => (await import('../kit/view/view-card.tsx')).ViewCard);

interface Props {
  readonly view: View;
  readonly id: string;
  /** What says the same in words. */
  readonly fallback: ReactNode;
}

export function ShownView({ view, id, fallback }: Props) {
  return (
    <HostOnly>
      <Suspense fallback={fallback}>
        <ViewCard view={view} id={id} />
      </Suspense>
    </HostOnly>
  );
}
