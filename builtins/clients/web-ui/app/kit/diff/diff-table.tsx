// Renders a diff as a table of numbered lines.
import { Fragment, useMemo, type ReactNode } from 'react';
import { Decoration, Diff, Hunk, parseDiff } from 'react-diff-view';
import { t } from '../t.ts';
import 'react-diff-view/style/index.css';

export function DiffTable({ diff, fallback }: { readonly diff: string; readonly fallback: ReactNode }) {
  const files = useMemo(() => parse(diff), [diff]);
  if (files.length === 0) return fallback;
  return files.map((file, index) => (
    <Fragment key={index}>
      {files.length > 1 && <p className="diff-file">{file.newPath === '/dev/null' ? file.oldPath : file.newPath}</p>}
      <Diff viewType="unified" diffType={file.type} hunks={file.hunks}>
        {(hunks) =>
          hunks.flatMap((hunk) => [<Decoration key={`head ${hunk.content}`}>{hunkTitle(hunk.content)}</Decoration>, <Hunk key={hunk.content} hunk={hunk} />])
        }
      </Diff>
    </Fragment>
  ));
}

function parse(diff: string): ReturnType<typeof parseDiff> {
  try {
    return parseDiff(diff).filter((file) => file.hunks.length > 0);
  } catch {
    // The diff cannot be parsed and is shown as text.
    return [];
  }
}

/** Describes `@@ -1,4 +1,6 @@ function name` in words. */
function hunkTitle(content: string): string {
  const [, start = '', rest = ''] = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(content) ?? [];
  if (start === '') return content;
  return rest === '' ? t('Line {start}', { start }) : t('Line {start}: {rest}', { start, rest });
}
