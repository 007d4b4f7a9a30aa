// The task that a call started, as a view that grows: what it was told, what it does, and its newest words.
import { viewOfTask, type ToolEntry } from 'agent-harness/client';
import { t } from '../../../kit/t.ts';
import { ViewCard } from '../../../kit/view/view-card.tsx';
import './task-view.css';

/** The newest calls that are listed. */
const calls = 50;

export function TaskView({ entry }: { readonly entry: ToolEntry }) {
  const view = viewOfTask(entry, { calls });
  return (
    view && (
      <section className="task" aria-label={t('Task')}>
        <ViewCard view={view} id={`${entry.id}:task`} />
      </section>
    )
  );
}
