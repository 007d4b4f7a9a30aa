// The result of a tool as the plugin that knows it draws it; the plain one where there is none.
import type { ToolEntry } from 'agent-harness/client';
import type { ReactNode } from 'react';
import { PanelHost } from './panel-host.tsx';
import { usePanels } from './use-panels.ts';

interface ToolResultSlotProps {
  readonly entry: ToolEntry;
  readonly fallback: ReactNode;
}

export function ToolResultSlot({ entry, fallback }: ToolResultSlotProps) {
  const isFinished = entry.state === 'ok' || entry.state === 'failed';
  const panel = usePanels().find((one) => one.slot === 'tool_result' && one.tools?.includes(entry.name));
  if (!panel || !isFinished) return fallback;
  return <PanelHost panel={panel} entry={entry} fallback={fallback} />;
}
