// Renders the differences between two versions of a document.
import { DiffView } from '#page/kit/diff/diff-view.tsx';
import { createTwoFilesPatch } from 'diff';
import { useMemo } from 'react';

const contextLines = 2;

export function Difference({ before, after, id = 'difference' }: { readonly before: string; readonly after: string; readonly id?: string }) {
  const diff = useMemo(
    () => createTwoFilesPatch('document', 'document', `${before}\n`, `${after}\n`, undefined, undefined, { context: contextLines }),
    [before, after],
  );
  return <DiffView diff={diff} path="document" id={id} />;
}
