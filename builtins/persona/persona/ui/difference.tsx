// Renders the differences between two texts of a section.
import { createTwoFilesPatch } from 'diff';
import { useMemo } from 'react';
import { DiffView } from '#page/kit/diff/diff-view.tsx';

const contextLines = 2;

export function Difference({ before, after, id }: { readonly before: string; readonly after: string; readonly id: string }) {
  const diff = useMemo(
    () => createTwoFilesPatch('text', 'text', `${before}\n`, `${after}\n`, undefined, undefined, { context: contextLines }),
    [before, after],
  );
  return <DiffView diff={diff} path="text" id={id} />;
}
