// Renders the result of a tool with the renderer of a plugin, or as a plain result if there is none.
import { isCallOver } from 'agent-harness/transcript';
import type { ToolEntry } from 'agent-harness/client';
import type { ReactNode } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import { useContributions } from './use-contributions.ts';

interface ToolResultSlotProps {
  readonly entry: ToolEntry;
  readonly fallback: ReactNode;
}

export function ToolResultSlot({ entry, fallback }: ToolResultSlotProps) {
  const isFinished = isCallOver(entry) && entry.state !== 'interrupted';
  const views = useContributions().flatMap(({ toolResults = [] }) => toolResults);
  const found = views.find(({ tools }) => tools.includes(entry.name));
  if (!found || !isFinished) return fallback;
  return (
    <HostOnly>
      <found.View entry={entry} fallback={fallback} />
    </HostOnly>
  );
}
