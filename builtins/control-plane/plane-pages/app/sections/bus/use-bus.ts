// Follows the bus of a workspace; the browser connects again by itself and continues where it was.
import { useEffect, useState } from 'react';

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
  /** How many came that are not shown any more. */
  readonly dropped: number;
}

const shownAtMost = 200;

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
    const source = new EventSource(`/api/team/bus/subscribe?${new URLSearchParams({ workspace, since: '0' }).toString()}`);
    source.onopen = () => setView((before) => ({ ...before, state: 'live' }));
    source.onerror = () => setView((before) => ({ ...before, state: 'waiting' }));
    source.onmessage = ({ data }) => {
      const line = lineOf(JSON.parse(String(data)) as Message | { readonly gap: { readonly from: number; readonly to: number } });
      setView(({ lines, dropped }) => {
        const all = [line, ...lines.filter(({ id }) => id !== line.id)];
        return { state: 'live', lines: all.slice(0, shownAtMost), dropped: dropped + Math.max(0, all.length - shownAtMost) };
      });
    };
    return () => source.close();
  }, [workspace]);
  return view;
}

function lineOf(event: Message | { readonly gap: { readonly from: number; readonly to: number } }): BusLine {
  if ('gap' in event) {
    const { from, to } = event.gap;
    return {
      id: `gap-${from}`,
      key: 'No longer kept',
      text: `Messages ${from} to ${to} are older than the bus keeps them.`,
      from: 'the control plane',
      at: '',
    };
  }
  const { cursor, key, envelope, from, at } = event;
  return { id: String(cursor), cursor, key, text: typeof envelope === 'string' ? envelope : JSON.stringify(envelope, null, 2), from: from.name, at };
}
