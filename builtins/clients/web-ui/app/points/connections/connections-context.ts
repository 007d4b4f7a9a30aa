// Shares one loaded list of connections between the components of the page.
import type { ReplyOf } from 'agent-harness/client';
import { createContext, use } from 'react';
import { t } from '../../kit/t.ts';

export type Connections = ReplyOf<'GET /api/integrations'>;
export type Connection = Connections['connections'][number];
export type Provider = Connections['providers'][number];

/** The result of adding a connection. */
export interface Added {
  readonly toolCount: number;
  /** Tools that were omitted, with reasons. */
  readonly error?: string;
  /** Address of the sign-in page, if the connection requires a sign-in first. */
  readonly authorizeUrl?: string;
}

export interface ConnectionsState extends Connections {
  readonly reload: () => void;
}

export const ConnectionsContext = createContext<ConnectionsState | undefined>(undefined);

/** Returns the connections. For components in the slot `connections`. */
export function useConnections(): ConnectionsState {
  const state = use(ConnectionsContext);
  if (!state) throw new Error(t('a connections part is outside of the connections page'));
  return state;
}
