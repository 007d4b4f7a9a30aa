// At the end of a chat at work: what it waits for, and since when.
import { retryText, type RunningTurn, type WaitingFor } from 'agent-harness/client';
import { useClock } from '../../kit/use-clock.ts';
import { RunningTime } from './tools/tool-state.tsx';

const words: Readonly<Record<WaitingFor, string>> = {
  model: 'Thinking',
  tool: 'Working with tools',
  approval: 'Waiting for your approval',
  answer: 'Waiting for your answer',
  retry: 'Waiting to ask the model again',
};

export function WorkingLine({ running }: { readonly running: RunningTurn }) {
  const isYours = running.waitingFor === 'approval' || running.waitingFor === 'answer';
  return (
    <p className={isYours ? 'working-line working-line-yours' : 'working-line'}>
      <span className="working-line-dot" aria-hidden />
      <span>{running.waitingFor === 'retry' && running.retry ? <Retry retry={running.retry} /> : words[running.waitingFor]}</span>
      <RunningTime key={running.since} since={running.since} />
    </p>
  );
}

function Retry({ retry }: { readonly retry: NonNullable<RunningTurn['retry']> }) {
  return retryText(retry, useClock(1_000).getTime());
}
