// What the parts of the page about connections share: one reading of what there is.
import type { ReplyOf } from 'agent-harness/client';
import { createContext, use } from 'react';
import { t } from '../../kit/t.ts';

export type Connections = ReplyOf<'GET /api/integrations'>;
export type Connection = Connections['connections'][number];
export type Provider = Connections['providers'][number];

/** What adding one answered. */
export interface Added {
  readonly toolCount: number;
  /** Tools that were left out, and why. */
  readonly error?: string;
  /** Somebody must sign in there first. */
  readonly authorizeUrl?: string;
}

export interface ConnectionsState extends Connections {
  /** Reads them again. */
  readonly reload: () => void;
}

export const ConnectionsContext = createContext<ConnectionsState | undefined>(undefined);

/** For parts of the slot `connections`. */
export function useConnections(): ConnectionsState {
  const state = use(ConnectionsContext);
  if (!state) throw new Error(t('a part about connections stands outside of their page'));
  return state;
}
