// Renders the state of a call in words, with its duration.
import { durationText, refusalText, type ToolEntry, type ToolState } from 'agent-harness/client';
import { CircleSlash, CircleStop, Clock, ClockAlert, Hourglass, PencilLine, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient } from '../../../kit/hooks.ts';
import { table } from '../../../kit/t.ts';
import { useSelected } from '../../../kit/use-selected.ts';

const words: Readonly<Record<ToolState, string>> = table({
  writing: 'Writing',
  queued: 'Queued',
  waiting: 'Waiting for you',
  running: 'Running',
  ok: 'Done',
  failed: 'Failed',
  denied: 'Rejected',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  expired: 'Expired',
});

export function ToolStateText({ entry }: { readonly entry: ToolEntry }) {
  const { state, durationMs, startedAt, decision } = entry;
  const isRejected = state === 'denied' && decision !== undefined;
  return (
    <span className="tool-card-state">
      {state !== 'ok' && <StateIcon state={state} />}
      <span className={state === 'ok' ? 'visually-hidden' : undefined}>{isRejected ? refusalText(decision.by) : words[state]}</span>
      {state === 'running' && <RunningTime key={startedAt} since={startedAt ?? entry.at} />}
      {durationMs !== undefined && (state === 'ok' || state === 'failed' || state === 'stopped') && (
        <span className="tool-card-time">{durationText(durationMs)}</span>
      )}
    </span>
  );
}

function StateIcon({ state }: { readonly state: Exclude<ToolState, 'ok'> }) {
  if (state === 'running') return <span className="spinner" aria-hidden />;
  const Icon = {
    writing: PencilLine,
    queued: Clock,
    waiting: Hourglass,
    failed: X,
    denied: CircleSlash,
    stopped: CircleStop,
    interrupted: CircleSlash,
    expired: ClockAlert,
  }[state];
  return <Icon size={14} aria-hidden />;
}

/** Returns whether the server does not respond; the state of calls is unknown in that case. */
export function useIsDown(): boolean {
  return useSelected(useClient().connection, ({ rest }) => rest === 'down');
}

/** @param since ISO 8601 */
export function RunningTime({ since }: { readonly since: string }) {
  return useIsDown() ? null : <Seconds since={since} />;
}

function Seconds({ since }: { readonly since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - Date.parse(since)) / 1000);
  return seconds >= 1 ? <span className="tool-card-time">{durationText(seconds * 1000).replace('.0', '')}</span> : null;
}
