// Renders a badge that shows whether the displayed data is live.
import { table } from '../t.ts';

export type LiveState = 'connecting' | 'live' | 'waiting';

const words: Record<LiveState, string> = table({ connecting: 'Connecting…', live: 'Live', waiting: 'Not connected; trying again' });
const tones: Record<LiveState, string> = { connecting: '', live: 'good', waiting: 'warn' };

export function LiveBadge({ state }: { readonly state: LiveState }) {
  return (
    <span className={`badge ${tones[state]}`} role="status">
      {words[state]}
    </span>
  );
}
