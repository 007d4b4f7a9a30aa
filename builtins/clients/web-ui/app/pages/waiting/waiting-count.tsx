// Renders the number of pending decisions, beside the link to their page.
import { usePending } from '../../attention/pending-context.ts';
import { tn } from '../../kit/t.ts';
import './waiting.css';

export function WaitingCount() {
  const { approvals, questions } = usePending();
  const count = approvals.length + questions.length;
  if (count === 0) return null;
  return (
    <span className="waiting-count">
      {count}
      <span className="visually-hidden">{` ${tn(count, 'decision', 'decisions')}`}</span>
    </span>
  );
}
