// Renders the remaining time of a decision as a bar and in words. Only this component rerenders every second.
import type { Approval } from 'agent-harness/client';
import type { ReactNode } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { timeLeft } from './time-left.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { t } from '../../kit/t.ts';
import './time-bar.css';
import { useEffect, useState } from 'react';

/** @param children the subject of the decision, shown beside the remaining time */
export function TimeBar({ approval, children }: { readonly approval: Approval; readonly children: ReactNode }) {
  const limitMs = useSelected(useClient().connection, ({ config }) => config?.approvalTimeoutMs);
  const left = timeLeft(approval, useNow(), limitMs ?? 0);
  return (
    <div className="time-bar" data-urgent={left?.isUrgent || undefined}>
      {children}
      {left?.isUrgent && (
        <>
          <span className="time-bar-text small" aria-hidden>
            {left.text}
          </span>
          <div
            className="time-bar-track"
            role="progressbar"
            aria-label={t('Time left')}
            aria-valuemin={0}
            aria-valuemax={left.totalSeconds}
            aria-valuenow={left.seconds}
            aria-valuetext={left.spoken}
          >
            <div className="time-bar-rest" style={{ transform: `scaleX(${left.fraction})` }} />
          </div>
        </>
      )}
    </div>
  );
}

/** Returns the current time in milliseconds since 1970, updated every second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
