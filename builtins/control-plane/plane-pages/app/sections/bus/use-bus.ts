// Subscribes to the message bus of a workspace, and resumes after a lost connection.
import { useEffect, useState } from 'react';
import { openLive } from '../../base/open-live.ts';

export interface BusLine {
  readonly id: string;
  readonly cursor?: number;
  readonly key: string;
  readonly text: string;
  readonly from: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface BusView {
  readonly state: 'connecting' | 'live' | 'waiting';
  /** Newest first. */
  readonly lines: readonly BusLine[];
  /** Number of received messages that are no longer shown. */
  readonly dropped: number;
}

const maxShownMessages = 200;

interface Message {
  readonly cursor: number;
  readonly key: string;
  readonly envelope: unknown;
  readonly from: { readonly name: string };
  readonly at: string;
}

export function useBus(workspace: string): BusView {
  const [view, setView] = useState<BusView>({ state: 'connecting', lines: [], dropped: 0 });
  useEffect(() => {
    let since = 0;
    return openLive({
      address: () => `/api/team/bus/subscribe?${new URLSearchParams({ workspace, since: String(since) }).toString()}`,
      onState: (state) => setView((before) => ({ ...before, state })),
      onMessage(data) {
        const line = lineOf(JSON.parse(data) as Message | { readonly gap: { readonly from: number; readonly to: number } });
        since = Math.max(since, line.cursor ?? 0);
        setView(({ lines, dropped }) => {
          const all = [line, ...lines.filter(({ id }) => id !== line.id)];
          return { state: 'live', lines: all.slice(0, maxShownMessages), dropped: dropped + Math.max(0, all.length - maxShownMessages) };
        });
      },
    });
  }, [workspace]);
  return view;
}

function lineOf(event: Message | { readonly gap: { readonly from: number; readonly to: number } }): BusLine {
  if ('gap' in event) {
    const { from, to } = event.gap;
    return {
      id: `gap-${from}`,
      key: 'No longer stored',
      text: `Messages ${from} to ${to} are older than the retention of the bus.`,
      from: 'the control plane',
      at: '',
    };
  }
  const { cursor, key, envelope, from, at } = event;
  return { id: String(cursor), cursor, key, text: typeof envelope === 'string' ? envelope : JSON.stringify(envelope, null, 2), from: from.name, at };
}
