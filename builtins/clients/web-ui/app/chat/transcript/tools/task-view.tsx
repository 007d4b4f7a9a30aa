// The task that a call started: what it was told, what it does, and its newest words.
import { callText, endingText, type Task, type TaskCall, type ToolEntry } from 'agent-harness/client';
import { Check, Loader, X } from 'lucide-react';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import { t } from '../../../kit/t.ts';
import './task-view.css';

/** The newest calls that are listed. */
const maxCalls = 50;

interface Props {
  readonly entry: ToolEntry;
  readonly task: Task;
}

export function TaskView({ entry, task }: Props) {
  const { goal, calls, text, reason } = task;
  const left = calls.length - maxCalls;
  return (
    <section className="task" aria-label={t('Task')}>
      <p className="task-goal" dir="auto">
        {goal}
      </p>
      {left > 0 && <p className="muted small">{t('{left} earlier calls', { left })}</p>}
      {calls.length > 0 && (
        <ol className="task-calls">
          {calls.slice(-maxCalls).map((call) => (
            <CallLine key={call.callId} call={call} isOver={reason !== undefined || entry.output !== undefined} />
          ))}
        </ol>
      )}
      {text !== '' && entry.output === undefined && <Markdown id={`${entry.id}:task`} text={text} isStreaming={reason === undefined} />}
      {reason !== undefined && reason !== 'done' && <p className="muted small">{endingText(reason)}</p>}
    </section>
  );
}

function CallLine({ call, isOver }: { readonly call: TaskCall; readonly isOver: boolean }) {
  const { name, isOk } = call;
  const state = isOk === undefined ? (isOver ? 'ended' : 'running') : isOk ? 'done' : 'failed';
  const Icon = isOk === true ? Check : isOk === false || isOver ? X : Loader;
  return (
    <li className="task-call" data-state={state}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{state}</span>
      <span className="task-call-name">{name}</span>
      <bdi className="task-call-summary">{callText(call)}</bdi>
    </li>
  );
}
