// Stores the display state of the chat list: grouping, archive, and selection.
import { useState } from 'react';
import type { Grouping } from './chat-groups.ts';

const groupingKey = 'chat-grouping';

export interface ListView {
  readonly grouping: Grouping;
  group(by: Grouping): void;
  readonly isArchive: boolean;
  showArchive(isArchive: boolean): void;
  /** Selected ids during multiple selection; otherwise `undefined`. */
  readonly chosen: ReadonlySet<string> | undefined;
  choose(chosen: ReadonlySet<string> | undefined): void;
}

export function useListView(): ListView {
  const [grouping, setGrouping] = useState<Grouping>(() => (localStorage.getItem(groupingKey) === 'folder' ? 'folder' : 'day'));
  const [isArchive, setArchive] = useState(false);
  const [chosen, choose] = useState<ReadonlySet<string>>();
  return {
    grouping,
    group(by) {
      localStorage.setItem(groupingKey, by);
      setGrouping(by);
    },
    isArchive,
    showArchive(next) {
      choose(undefined);
      setArchive(next);
    },
    chosen,
    choose,
  };
}
