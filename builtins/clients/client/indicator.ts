// The connection in one word, as every client shows it.
import type { ChatState, ConnectionState } from './state.ts';

export type Indicator = 'CONNECTING' | 'WAIT API' | 'DEGRADED' | 'OFFLINE' | 'STANDBY' | 'BUSY';

/**
 * - `CONNECTING`: nothing answered yet; `WAIT API`: the server answers, the stream is yet to open (or a token is wanted).
 * - `DEGRADED`: the server answers while the stream is tried again; `OFFLINE`: it does not answer.
 * - `STANDBY`, `BUSY`: all is well; no turn runs, or one does.
 */
export function indicatorOf({ stream, rest }: ConnectionState, chat?: Pick<ChatState, 'running'>): Indicator {
  if (rest === 'down') return 'OFFLINE';
  if (stream === 'refused' || rest === 'refused') return 'WAIT API';
  if (stream === 'connecting') return rest === 'up' ? 'WAIT API' : 'CONNECTING';
  if (stream === 'lost') return 'DEGRADED';
  return chat?.running ? 'BUSY' : 'STANDBY';
}
