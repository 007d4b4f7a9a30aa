// Brings the entry that the address names into view; older pages are read until it is there.
import type { OpenChat } from 'agent-harness/client';
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useRoute } from '../../kit/hooks.ts';
import type { Row } from './rows.ts';
import { settleMs } from '../scroll/use-follow.ts';

export interface TargetParts {
  readonly chat: OpenChat;
  readonly rows: readonly Row[];
  readonly list: RefObject<VirtualizerHandle | null>;
  readonly hasOlder: boolean;
  /** The end is not followed any more. */
  readonly leaveEnd: () => void;
}

/** Entries of a page while somebody waits for one of them: the most that the server gives. */
const pageSize = 2_000;

/** Answers the key of the row with the entry, once it is there. */
export function useTarget({ chat, rows, list, hasOlder, leaveEnd }: TargetParts): string | undefined {
  const { id, part } = useRoute();
  const entryId = id === chat.chatId ? part : undefined;
  const index = useMemo(() => (entryId === undefined ? -1 : rows.findIndex((row) => hasEntry(row, entryId))), [rows, entryId]);
  const arrival = useRef<{ readonly entryId: string; readonly at: number }>(undefined);

  // With each page that came: where it still is not there, the next one may have it.
  const isMissing = entryId !== undefined && index < 0 && hasOlder;
  useEffect(() => {
    // Where it cannot be read, the reader stays at the end.
    if (isMissing) chat.loadOlder(pageSize).catch(() => undefined);
  }, [chat, isMissing, rows]);

  useEffect(() => {
    if (entryId === undefined || index < 0) return;
    if (arrival.current?.entryId !== entryId) arrival.current = { entryId, at: performance.now() };
    // In the beginning older rows may still come in above.
    if (performance.now() - arrival.current.at > settleMs) return;
    leaveEnd();
    list.current?.scrollToIndex(index, { align: 'center' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when the row is another one or stands elsewhere
  }, [entryId, index]);

  return rows[index]?.key;
}

function hasEntry(row: Row, entryId: string): boolean {
  return row.kind === 'entry' ? row.entry.id === entryId : row.entries.some((entry) => entry.id === entryId);
}
