// Renders a changed file with its diff, with actions to undo all or some of its hunks.
import type { ViewAction } from 'agent-harness/view';
import { ChevronRight, FileText, Undo2 } from 'lucide-react';
import { use, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { OpenFileContext } from '#page/kit/open-file-context.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { DiffBlock } from '#page/kit/view/diff-block.tsx';
import { ActInViewContext, type ActInView } from '#page/kit/view/view-context.ts';
import { usePermission } from '#page/points/use-permission.ts';
import { describeUndo, isPartial } from './describe-undo.ts';
import { kindLabels } from './kind-labels.ts';
import type { ChangedFile } from './use-changes.ts';
import { t } from '#page/kit/t.ts';

interface FileProps {
  readonly chatId: string;
  /** Id of the turn; omitted for all turns of the chat. */
  readonly turnId?: string | undefined;
  readonly file: ChangedFile;
  readonly onUndone: () => void;
}

export function ChangedFileRow({ chatId, turnId, file, onUndone }: FileProps) {
  const [isOpen, setOpen] = useState(false);
  const client = useClient();
  const { tell } = useShell();
  const may = usePermission('chats.manage');
  const openFile = use(OpenFileContext);
  const undo = useAct(onUndone);
  const { path, from, kind, added, removed, undone, conflict, canMerge, binary } = file;
  const takeBack = async (): Promise<void> => {
    const paths = from === undefined ? [path] : [path, from];
    const reply = await client.call('POST /api/undo', { body: { chatId, paths, ...(turnId === undefined ? {} : { turnId }) } });
    tell(describeUndo(reply), isPartial(reply) ? 'bad' : 'plain');
  };
  return (
    <li className="file-list-file">
      <button type="button" className="file-list-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={16} aria-hidden className="file-list-arrow" />
        <span className="file-list-path">
          <bdi dir="ltr">{from === undefined ? path : `${from} → ${path}`}</bdi>
        </span>
        <span className="badge">{kindLabels[kind]}</span>
        {undone && <span className="badge">{t('undone')}</span>}
        {conflict && <span className="badge warn">{canMerge === false ? t('changed later, not undoable') : t('changed later, change is kept')}</span>}
        {binary && <span className="badge">{t('binary')}</span>}
        {added !== null && removed !== null && (
          <span className="file-list-counts">
            <span className="file-list-added">+{added}</span> <span className="file-list-removed">−{removed}</span>
          </span>
        )}
      </button>
      {isOpen && (
        <p className="file-list-undo">
          {may && !undone && (
            <button type="button" className="button" disabled={undo.isBusy} onClick={() => void undo.run(takeBack)}>
              <Undo2 size={16} aria-hidden /> {t('Undo this file')}
            </button>
          )}
          {openFile && kind !== 'deleted' && (
            <button type="button" className="button" onClick={() => openFile(path)}>
              <FileText size={16} aria-hidden /> {t('Open')}
            </button>
          )}
        </p>
      )}
      {isOpen && <FileDiff chatId={chatId} turnId={turnId} file={file} onUndone={onUndone} />}
    </li>
  );
}

interface HunksProps {
  readonly chatId: string;
  readonly turnId: string | undefined;
  readonly path: string;
  readonly diff: string;
  /** Ids of the hunks; empty if the file can only be undone as a whole. */
  readonly names: readonly string[];
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

const undoPart: ViewAction = { id: 'undo-part', label: /* t */ 'Undo this part' };

/** Renders the hunks as a view block whose action is the partial undo. */
function Hunks({ chatId, turnId, path, diff, names, isBusy, onEnd }: HunksProps) {
  const client = useClient();
  const { tell } = useShell();
  const may = usePermission('chats.manage');
  const undo = useAct(onEnd);
  const takeBack = async (name: string): Promise<void> => {
    const reply = await client.call('POST /api/undo', { body: { chatId, paths: [path], hunks: [name], ...(turnId === undefined ? {} : { turnId }) } });
    tell(describeUndo(reply));
  };
  const acting: ActInView = {
    isBusy: undo.isBusy || isBusy,
    act: async (_action, name) => name !== undefined && undo.run(() => takeBack(name)),
  };
  // A single hunk is the whole change of the file.
  const canSplit = may && names.length > 1;
  return (
    <ActInViewContext value={acting}>
      <DiffBlock
        isUntitled
        id={`change:${chatId}:${turnId ?? ''}:${path}`}
        block={{ kind: 'diff', path, diff, ...(canSplit ? { hunks: names.map((id) => ({ id })), rowActions: [undoPart] } : {}) }}
      />
    </ActInViewContext>
  );
}

function FileDiff({ chatId, turnId, file, onUndone }: FileProps) {
  const client = useClient();
  const { path, at, added, removed } = file;
  const query = { chatId, path, ...(turnId === undefined ? {} : { turnId }) };
  const loaded = useLoaded(`${chatId} ${turnId ?? ''} ${path} ${at} ${added} ${removed}`, (signal) => client.call('GET /api/changes', { query, signal }));
  const onEnd = (): void => {
    loaded.reload();
    onUndone();
  };
  return (
    <div className="file-list-diff">
      {file.conflict && <p className="muted small">{t('The file was changed later; an undo keeps that change.')}</p>}
      <WhenLoaded loaded={loaded} what={t('diff')}>
        {({ diff, hunks = [] }) =>
          diff === undefined || diff === '' ? (
            <p className="muted small">{whyNone(file)}</p>
          ) : (
            <Hunks chatId={chatId} turnId={turnId} path={path} diff={diff} names={hunks} isBusy={loaded.isLoading} onEnd={onEnd} />
          )
        }
      </WhenLoaded>
    </div>
  );
}

function whyNone({ binary, kind }: ChangedFile): string {
  if (binary) return t('Not a text file, so lines cannot be compared.');
  return kind === 'moved' ? t('Only the path changed.') : t('Too large to compare, or the earlier version is not stored.');
}
