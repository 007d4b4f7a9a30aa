// Renders a link from a path in a text to that file.
import { use, useEffect, useState, type ReactNode } from 'react';
import { FileLookupContext } from './file-lookup.ts';
import { hostOnly } from './host-only.tsx';
import { OpenFileContext } from './open-file-context.ts';
import { pathText } from './short-texts.ts';
import { t } from './t.ts';
import './file-link.css';

interface Props {
  readonly path: string;
  /** Line number, from 1. */
  readonly line?: number | undefined;
  readonly children: ReactNode;
}

/** Renders the link; plain text if no plugin shows files. */
export function FileLink({ path, line, children }: Props) {
  const open = use(OpenFileContext);
  if (!open) return children;
  return (
    <button
      type="button"
      {...hostOnly}
      className="file-link"
      title={line === undefined ? t('Open {path}', { path: pathText(path) }) : t('Open {path} at line {line}', { path: pathText(path), line })}
      onClick={() => open(path, line)}
    >
      {children}
    </button>
  );
}

/** Renders a word that may be a file name, such as `node.js`: as a link once the file is known to exist. */
export function KnownFileLink({ path, children }: Omit<Props, 'line'>) {
  const look = use(FileLookupContext);
  const [isThere, note] = useState(false);
  useEffect(() => {
    let isOver = false;
    void look?.(path).then((found) => isOver || note(found));
    return () => {
      isOver = true;
    };
  }, [look, path]);
  return isThere ? <FileLink path={path}>{children}</FileLink> : children;
}
