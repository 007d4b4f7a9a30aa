// Scrolls to the entry that the address names; loads older pages until the entry is found.
import type { OpenChat } from 'agent-harness/client';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import { useRoute } from '../../kit/hooks.ts';
import type { ScrollWriter } from '../scroll/scroll-writer.ts';
import type { Row } from './rows.ts';

export interface TargetParts {
  readonly chat: OpenChat;
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly scroll: ScrollWriter;
}

/** Number of entries per page during the search; the server's maximum. */
const pageSize = 2_000;

/** Returns the key of the row that contains the entry, once it is loaded. */
export function useTarget({ chat, rows, hasOlder, scroll }: TargetParts): string | undefined {
  const { id, part } = useRoute();
  const entryId = id === chat.chatId ? part : undefined;
  const index = useMemo(() => (entryId === undefined ? -1 : rows.findIndex((row) => hasEntry(row, entryId))), [rows, entryId]);

  // Runs again after each loaded page, because the next page may contain the entry.
  const isMissing = entryId !== undefined && index < 0 && hasOlder;
  useEffect(() => {
    // If loading fails, the reader stays at the end.
    if (isMissing) chat.loadOlder(pageSize).catch(() => undefined);
  }, [chat, isMissing, rows]);

  const key = rows[index]?.key;
  useLayoutEffect(() => {
    if (key !== undefined) scroll.toRow(key);
  }, [entryId, key, scroll]);

  return key;
}

function hasEntry(row: Row, entryId: string): boolean {
  return row.kind === 'entry' ? row.entry.id === entryId : row.entries.some((entry) => entry.id === entryId);
}
