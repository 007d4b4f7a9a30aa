// What plugins say of a message or a call of the chat that is shown. Drawn again when that changes, whatever else happens in the chat.
import type { EntryMarks as Marks } from 'agent-harness/client';
import { use, useSyncExternalStore } from 'react';
import { ChatContext } from '../kit/hooks.ts';
import { MarkLine } from '../kit/mark-line.tsx';

export function EntryMarks({ id }: { readonly id: string }) {
  const labels = useMarks((marks) => marks.get(id));
  return labels && <MarkLine labels={labels} />;
}

/** @param pick answers the same for the same marks */
export function useMarks<T>(pick: (marks: Marks) => T): T | undefined {
  const marks = use(ChatContext)?.marks;
  return useSyncExternalStore(marks?.subscribe ?? never, () => marks && pick(marks.get()));
}

const never = (): (() => void) => () => undefined;
