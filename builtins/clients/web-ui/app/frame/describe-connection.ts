// Describes the connection indicator in words: the problem, and what the user can do.
import type { Indicator, RunningTurn } from 'agent-harness/client';
import { duration } from '../kit/short-texts.ts';
import { t, table } from '../kit/t.ts';

const explanations: Readonly<Record<Indicator, string>> = table({
  CONNECTING: 'The page has not reached the server yet and keeps trying.',
  'WAIT API': 'The server responds, but its live events have not started. They should follow in a moment.',
  DEGRADED: 'The server responds, but live events are interrupted. The page reconnects and then shows the missed events. Messages that you send still arrive.',
  OFFLINE: 'The server does not respond. Your messages are kept and sent when it is back; the page keeps trying.',
  STANDBY: 'The agent is idle and waits for your message.',
  BUSY: 'The agent is working in this chat.',
});

const names: Readonly<Record<Indicator, string>> = table({
  CONNECTING: 'CONNECTING',
  'WAIT API': 'WAIT API',
  DEGRADED: 'DEGRADED',
  OFFLINE: 'OFFLINE',
  STANDBY: 'STANDBY',
  BUSY: 'BUSY',
});

export const nameOf = (name: Indicator): string => names[name];

export function explain(name: Indicator): string {
  return explanations[name];
}

const waits: Readonly<Record<RunningTurn['waitingFor'], string>> = table({
  model: 'model',
  tool: 'tool',
  approval: 'your approval',
  answer: 'your answer',
  retry: 'retry of the model call',
});

/** Describes what a running turn is waiting for, and how long it has been waiting. */
export function describeWait(running: RunningTurn, now: Date): { readonly what: string; readonly since: string } {
  return {
    what: t('waits for: {waits}', { waits: waits[running.waitingFor] ?? running.waitingFor }),
    since: duration(now.getTime() - Date.parse(running.since)),
  };
}
