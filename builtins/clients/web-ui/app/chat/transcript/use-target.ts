// Scrolls to the entry named in the address; loads older pages until it is found.
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

/** Entries per page during the search: the server's maximum. */
const pageSize = 2_000;

/** Returns the key of the row with the entry, once it is loaded. */
export function useTarget({ chat, rows, hasOlder, scroll }: TargetParts): string | undefined {
  const { id, part } = useRoute();
  const entryId = id === chat.chatId ? part : undefined;
  const index = useMemo(() => (entryId === undefined ? -1 : rows.findIndex((row) => hasEntry(row, entryId))), [rows, entryId]);

  // With each loaded page: if it is still missing, the next page may contain it.
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
