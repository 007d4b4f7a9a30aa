// At the end of a chat at work: what it waits for, and since when.
import { retryText, type RunningTurn, waitingText } from 'agent-harness/client';
import { useClock } from '../../kit/use-clock.ts';
import { RunningTime } from './tools/tool-state.tsx';

export function WorkingLine({ running }: { readonly running: RunningTurn }) {
  const isYours = running.waitingFor === 'approval' || running.waitingFor === 'answer';
  return (
    <p className={isYours ? 'working-line working-line-yours' : 'working-line'}>
      <span className="working-line-dot" aria-hidden />
      <span>{running.waitingFor === 'retry' && running.retry ? <Retry retry={running.retry} /> : waitingText(running.waitingFor)}</span>
      <RunningTime key={running.since} since={running.since} />
    </p>
  );
}

function Retry({ retry }: { readonly retry: NonNullable<RunningTurn['retry']> }) {
  return retryText(retry, useClock(1_000).getTime());
}
