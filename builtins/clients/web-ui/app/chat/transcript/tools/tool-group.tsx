// Renders a group of consecutive calls: a summary that expands to the individual calls.
import type { ToolEntry } from 'agent-harness/client';
import { ChevronRight } from 'lucide-react';
import { memo, useId, useMemo } from 'react';
import { useStoredState } from '../../../kit/stored-state.ts';
import { useMarks } from '../../../points/entry-marks.tsx';
import type { Step } from '../rows.ts';
import { Reasoning } from '../reasoning.tsx';
import { summarizeCalls } from './call-summary.ts';
import { ToolCard } from './tool-card.tsx';
import { t } from '../../../kit/t.ts';
import './tool-rail.css';

/** Number of calls shown by default. */
const shownAtOnce = 5;

export const ToolGroup = memo(function ToolGroup({ entries }: { readonly entries: readonly Step[] }) {
  const calls = useMemo(() => entries.filter((step) => step.kind === 'tool'), [entries]);
  const first = calls[0];
  const [choice, setChoice] = useStoredState<boolean | undefined>(`rail:${first?.id ?? ''}`, undefined);
  const listId = useId();
  const isOpen = choice ?? calls.length <= shownAtOnce;
  const marks = useMarks((all) => all);
  const shown = isOpen ? entries : calls.filter((call) => isTelling(call) || marks?.has(call.id));
  const steps = shown.map((step) =>
    step.kind === 'tool' ? (
      <ToolCard key={step.id} entry={step} />
    ) : (
      step.reasoning !== '' && <Reasoning key={step.id} id={step.id} text={step.reasoning} isStreaming={false} />
    ),
  );
  if (calls.length === 1) return <div className="tool-rail">{steps}</div>;
  return (
    <div className="tool-rail" role="group" aria-label={t('{count} tool calls', { count: calls.length })}>
      <button type="button" className="tool-rail-head" aria-expanded={isOpen} aria-controls={listId} onClick={() => setChoice(!isOpen)}>
        <span className="tool-rail-words">{summarizeCalls(calls)}</span>
        <span className="tool-rail-count">{progressText(calls)}</span>
        <ChevronRight className="tool-card-chevron" size={16} aria-hidden />
      </button>
      <div id={listId}>{steps}</div>
    </div>
  );
});

/** Returns whether a call stays visible: a call that is unfinished, failed or waiting for an answer. */
function isTelling({ state, question, answer, task, output }: ToolEntry): boolean {
  return state !== 'ok' || (question !== undefined && answer === undefined) || (task !== undefined && output === undefined);
}

function progressText(calls: readonly ToolEntry[]): string {
  const failed = calls.filter(({ state }) => state === 'failed' || state === 'denied' || state === 'interrupted' || state === 'expired').length;
  const done = calls.filter(({ state }) => state === 'ok').length;
  const all = t('{count} calls', { count: calls.length });
  if (done === calls.length) return all;
  return failed === 0 ? t('{done} of {all} done', { done, all }) : t('{done} of {all} done, {failed} failed', { done, all, failed });
}
