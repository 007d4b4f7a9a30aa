// Renders the folder tree of a workspace with badges for changed files; a folder is loaded when it is opened.
import { handle, type ReplyOf } from 'agent-harness/client';
import { ChevronRight, File, Folder } from 'lucide-react';
import { useState } from 'react';
import { sizeText } from '#page/kit/cut-text.ts';
import { useClient } from '#page/kit/hooks.ts';
import { SearchField } from '#page/kit/page/search-field.tsx';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useSettled } from '#page/kit/page/use-settled.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import type { FileMarks } from '#page/points/contribution.ts';
import { useContributions } from '#page/points/use-contributions.ts';
import { usePermission } from '#page/points/use-permission.ts';
import { t, tn } from '#page/kit/t.ts';

type Entry = ReplyOf<'GET /api/workspace/folder'>['entries'][number];

interface TreeProps {
  readonly chatId: string;
  readonly onOpen: (path: string) => void;
}

export function FileTree({ chatId, onOpen }: TreeProps) {
  const mayFind = usePermission('chats.write');
  const [wanted, setWanted] = useState('');
  const query = useSettled(wanted.trim(), 150);
  const [round, setRound] = useState(0);
  useEvents(
    (event) => event.chatId === chatId && handle(event, { turn_end: () => true }) === true,
    200,
    () => setRound((count) => count + 1),
  );
  const marks = useMarks(chatId, round);
  return (
    <>
      {mayFind && <SearchField label={t('Find a file')} placeholder={t('Find a file')} value={wanted} onChange={setWanted} />}
      {query === '' ? (
        <nav aria-label={t('Files of the workspace')}>
          <FolderContent chatId={chatId} path="" round={round} marks={marks} onOpen={onOpen} />
        </nav>
      ) : (
        <Found chatId={chatId} query={query} marks={marks} onOpen={onOpen} />
      )}
    </>
  );
}

function useMarks(chatId: string, round: number): FileMarks {
  const client = useClient();
  const read = useContributions().find(({ fileMarks }) => fileMarks)?.fileMarks;
  return useLoaded(read ? `${chatId} ${round}` : undefined, async () => read?.(client, chatId)).value ?? new Map<string, string>();
}

interface FolderProps extends TreeProps {
  /** Path of the folder; '' for the workspace. */
  readonly path: string;
  /** A changed number reloads the folder. */
  readonly round: number;
  readonly marks: FileMarks;
}

function FolderContent(props: FolderProps) {
  const { chatId, path, round } = props;
  const client = useClient();
  const query = { chatId, ...(path === '' ? {} : { path }) };
  const loaded = useLoaded(`${chatId} ${path} ${round}`, (signal) => client.call('GET /api/workspace/folder', { query, signal }));
  return (
    <WhenLoaded loaded={loaded} what={t('folder')}>
      {({ entries, more }) =>
        entries.length === 0 ? (
          <p className="muted small file-tree-empty">{t('Empty folder.')}</p>
        ) : (
          <ul className="file-tree">
            {entries.map((entry) => (
              <li key={entry.name}>
                <TreeEntry {...props} entry={entry} path={path === '' ? entry.name : `${path}/${entry.name}`} />
              </li>
            ))}
            {more > 0 && <li className="muted small file-tree-empty">{tn(more, '{count} more is not shown.', '{count} more are not shown.')}</li>}
          </ul>
        )
      }
    </WhenLoaded>
  );
}

function TreeEntry({ entry: { name, kind, bytes, isIgnored }, ...props }: FolderProps & { readonly entry: Entry }) {
  const { path, marks, onOpen } = props;
  const [isOpen, setOpen] = useState(false);
  const dim = isIgnored === true ? ' file-tree-ignored' : '';
  if (kind === 'file') return <FileLine path={path} name={name} dim={dim} mark={marks.get(path)} bytes={bytes} onOpen={onOpen} />;
  const hasChanges = [...marks.keys()].some((one) => one.startsWith(`${path}/`));
  return (
    <>
      <button type="button" className={`file-tree-line${dim}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} aria-hidden className="file-tree-arrow" />
        <Folder size={14} aria-hidden />
        <span className="file-tree-name">
          <bdi>{name}</bdi>
        </span>
        {hasChanges && (
          <span className="file-tree-dot" title={t('Contains changes')}>
            <span className="visually-hidden">{t('contains changes')}</span>
          </span>
        )}
      </button>
      {isOpen && <FolderContent {...props} />}
    </>
  );
}

interface LineProps {
  readonly path: string;
  readonly name: string;
  readonly dim?: string;
  readonly mark: string | undefined;
  readonly bytes?: number | undefined;
  readonly onOpen: (path: string) => void;
}

function FileLine({ path, name, dim = '', mark, bytes, onOpen }: LineProps) {
  return (
    <button type="button" className={`file-tree-line file-tree-file${dim}`} onClick={() => onOpen(path)}>
      <File size={14} aria-hidden />
      <span className="file-tree-name">
        <bdi>{name}</bdi>
      </span>
      {mark !== undefined && <span className="badge">{mark}</span>}
      {bytes !== undefined && <span className="muted file-tree-size">{sizeText(bytes)}</span>}
    </button>
  );
}

function Found({ chatId, query, marks, onOpen }: TreeProps & { readonly query: string; readonly marks: FileMarks }) {
  const client = useClient();
  const loaded = useLoaded(`${chatId} ${query}`, (signal) => client.call('GET /api/workspace/paths', { query: { chatId, query, limit: 100 }, signal }));
  return (
    <WhenLoaded loaded={loaded} what={t('files')}>
      {({ paths }) => {
        const files = paths.filter((path) => !path.endsWith('/'));
        return files.length === 0 ? (
          <p className="page-empty">{t('No matching files.')}</p>
        ) : (
          <ul className="file-tree" aria-label={t('Matching files')}>
            {files.map((path) => (
              <li key={path}>
                <FileLine path={path} name={path} mark={marks.get(path)} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        );
      }}
    </WhenLoaded>
  );
}
