// Renders a view inside a conversation: from a tool result, an event, or a command of this page.
import type { View } from 'agent-harness/view';
import { Suspense, type ReactNode } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import { lazyPart } from '../kit/lazy-part.ts';

const ViewCard = lazyPart(async () => (await import('../kit/view/view-card.tsx')).ViewCard);

interface Props {
  readonly view: View;
  readonly id: string;
  /** The same content as plain text. */
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
