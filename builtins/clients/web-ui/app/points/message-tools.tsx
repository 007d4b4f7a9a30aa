// Renders plugin actions on an assistant message.
import type { AssistantEntry } from 'agent-harness/client';
import { Suspense } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import { useContributions } from './use-contributions.ts';

export function MessageTools({ entry, isTurnEnd }: { readonly entry: AssistantEntry; readonly isTurnEnd: boolean }) {
  const tools = useContributions().flatMap(({ messageTools = [] }) => messageTools);
  return (
    <HostOnly>
      <Suspense>
        {tools.map(({ title, Tool }) => (
          <Tool key={title} entry={entry} isTurnEnd={isTurnEnd} />
        ))}
      </Suspense>
    </HostOnly>
  );
}
