// Computes the connection indicator, one word that every client shows.
import type { ChatState, ConnectionState } from './state.ts';

export type Indicator = 'CONNECTING' | 'WAIT API' | 'DEGRADED' | 'OFFLINE' | 'STANDBY' | 'BUSY';

/**
 * Returns the indicator:
 * - `CONNECTING`: no response yet; `WAIT API`: the server responds, but the stream is not open yet or a token is required.
 * - `DEGRADED`: the server responds while the stream is reconnecting; `OFFLINE`: it does not respond.
 * - `STANDBY`, `BUSY`: connected; no turn is running, or a turn is running.
 */
export function indicatorOf({ stream, rest }: ConnectionState, chat?: Pick<ChatState, 'running'>): Indicator {
  if (rest === 'down') return 'OFFLINE';
  if (stream === 'refused' || rest === 'refused') return 'WAIT API';
  if (stream === 'connecting') return rest === 'up' ? 'WAIT API' : 'CONNECTING';
  if (stream === 'lost') return 'DEGRADED';
  return chat?.running ? 'BUSY' : 'STANDBY';
}
