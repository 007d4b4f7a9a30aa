// The calls of one reply, together.
import type { ToolEntry } from 'agent-harness/client';
import { memo } from 'react';
import { ToolCard } from './tool-card.tsx';

export const ToolGroup = memo(function ToolGroup({ entries }: { readonly entries: readonly ToolEntry[] }) {
  const [only] = entries;
  if (entries.length === 1 && only) return <ToolCard entry={only} />;
  return (
    <div className="tool-group" role="group" aria-label={`${entries.length} tool calls`}>
      <p className="tool-group-head">
        <span>{entries.length} calls at once</span>
        <span aria-hidden>·</span>
        <span>{progressText(entries)}</span>
      </p>
      {entries.map((entry) => (
        <ToolCard key={entry.id} entry={entry} />
      ))}
    </div>
  );
});

function progressText(entries: readonly ToolEntry[]): string {
  const failed = entries.filter(({ state }) => state === 'failed' || state === 'interrupted').length;
  const done = entries.filter(({ state }) => state === 'ok').length;
  if (done === entries.length) return 'all done';
  return failed === 0 ? `${done} of ${entries.length} done` : `${done} of ${entries.length} done, ${failed} failed`;
}
