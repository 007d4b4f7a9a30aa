// Renders a live view of the task that a call started: goal, calls, and newest text.
import { viewOfTask, type ToolEntry } from 'agent-harness/client';
import { t } from '../../../kit/t.ts';
import { ViewCard } from '../../../kit/view/view-card.tsx';
import './task-view.css';

/** Maximum number of listed calls; older calls are omitted. */
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
