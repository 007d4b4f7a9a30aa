// How long ago something was; the whole time is told on demand.
import { formatTime } from './format.ts';
import { useClock } from '../use-clock.ts';
import { timeAgo } from '../words.ts';

const everyMs = 30_000;

export function RelativeTime({ at }: { readonly at: string }) {
  const now = useClock(everyMs);
  const text = timeAgo(at, now);
  return (
    <time dateTime={at} title={formatTime(at)}>
      {text === 'now' ? 'now' : /^\d+ (min|h|d)$/.test(text) ? `${text} ago` : text}
    </time>
  );
}
