// Renders the changes of turns: files with diffs on request, and other state.
import { ChangedFileRow } from './changed-file.tsx';
import { ChangedState } from './changed-state.tsx';
import type { Changes } from './use-changes.ts';
import { formatCount } from '#page/kit/page/format.ts';
import { t, tn } from '#page/kit/t.ts';
import '#page/kit/page/file-list.css';
import './changes.css';

interface Props {
  readonly chatId: string;
  /** Id of the turn; omitted for all turns of the chat. */
  readonly turnId?: string | undefined;
  readonly changes: Changes;
  readonly onUndone: () => void;
}

export function ChangesList({ chatId, turnId, changes, onUndone }: Props) {
  const { files, more } = changes;
  const others = <ChangedState chatId={chatId} turnId={turnId} changes={changes} onUndone={onUndone} />;
  if (files.length === 0) {
    if (changes.state.length + changes.outside.length > 0) return others;
    return <p className="page-empty">{t('No files were changed.')}</p>;
  }
  return (
    <>
      <p className="muted small" role="status">
        {more > 0
          ? t('{files}, the newest {shown} of them shown', {
              files: tn(files.length + more, '{count} file', '{count} files'),
              shown: formatCount(files.length),
            })
          : tn(files.length, '{count} file', '{count} files')}
      </p>
      <ul className="page-card file-list" aria-label={t('Changed files')}>
        {files.map((file) => (
          <ChangedFileRow key={file.path} chatId={chatId} turnId={turnId} file={file} onUndone={onUndone} />
        ))}
      </ul>
      {others}
    </>
  );
}
