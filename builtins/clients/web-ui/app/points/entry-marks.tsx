// Provides the plugin annotations of the open chat's entries. Components rerender only when these change.
import type { EntryMarks as Marks } from 'agent-harness/client';
import { use, useSyncExternalStore } from 'react';
import { ChatContext } from '../kit/hooks.ts';
import { AnnotationLine } from '../kit/annotation-line.tsx';

export function EntryMarks({ id }: { readonly id: string }) {
  const labels = useMarks((marks) => marks.get(id));
  return labels && <AnnotationLine labels={labels} />;
}

/** @param pick must return an equal result for equal annotations */
export function useMarks<T>(pick: (marks: Marks) => T): T | undefined {
  const marks = use(ChatContext)?.marks;
  return useSyncExternalStore(marks?.subscribe ?? never, () => marks && pick(marks.get()));
}

const never = (): (() => void) => () => undefined;
