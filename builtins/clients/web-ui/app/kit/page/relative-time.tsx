// Renders a relative time, and the absolute time on request.
import { formatTime } from './format.ts';
import { useClock } from '../use-clock.ts';
import { t } from '../t.ts';
import { isAgo, timeAgo } from '../short-texts.ts';

const everyMs = 30_000;

export function RelativeTime({ at }: { readonly at: string }) {
  const now = useClock(everyMs);
  const text = timeAgo(at, now);
  return (
    <time dateTime={at} title={formatTime(at)}>
      {isAgo(at, now) ? t('{time} ago', { time: text }) : text}
    </time>
  );
}
