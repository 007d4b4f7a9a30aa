// What the agent changed in files in one chat: each file with its lines, and its diff on demand.
import { handle, type ReplyOf } from 'agent-harness/client';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { hashOf, useClient, useRoute, useStore } from '#page/kit/hooks.ts';
import { DiffView } from '#page/kit/diff/diff-view.tsx';
import { countOf } from '#page/kit/page/format.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import '#page/kit/page/file-list.css';

type ChangedFile = ReplyOf<'GET /api/changes'>['files'][number];

const kindWords: Readonly<Record<ChangedFile['kind'], string>> = { added: 'New', edited: 'Edited', deleted: 'Deleted', moved: 'Moved' };

export function ChangesPage() {
  const client = useClient();
  const { id: chatId = '' } = useRoute();
  const title = useStore(client.chats).chats.find((chat) => chat.chatId === chatId)?.title;
  const loaded = useLoaded(chatId, (signal) => client.call('GET /api/changes', { query: { chatId }, signal }));
  useEvents(
    (event) => event.chatId === chatId && (event.kind === 'checkpoint_restored' || handle(event, { turn_end: () => true }) === true),
    200,
    loaded.reload,
  );
  const back = <a href={hashOf({ page: 'chat', id: chatId })}>{title ?? 'the chat'}</a>;

  return (
    <PageFrame title="Changes" intro={<>What the agent changed in files, in {back}.</>} isBusy={loaded.isLoading}>
      <WhenLoaded loaded={loaded} what="changes">
        {({ files, more }) =>
          files.length === 0 ? (
            <p className="page-empty">
              <strong>No file was changed.</strong> What commands change on their own is not seen here.
            </p>
          ) : (
            <>
              <p className="muted small" role="status">
                {countOf(files.length + more, 'file')}
                {more > 0 && `, the newest ${files.length} of them shown`}
              </p>
              <ul className="page-card file-list" aria-label="Changed files">
                {files.map((file) => (
                  <FileRow key={file.path} chatId={chatId} file={file} />
                ))}
              </ul>
            </>
          )
        }
      </WhenLoaded>
    </PageFrame>
  );
}

function FileRow({ chatId, file }: { readonly chatId: string; readonly file: ChangedFile }) {
  const [isOpen, setOpen] = useState(false);
  const { path, from, kind, added, removed, undone, conflict, binary } = file;
  return (
    <li className="file-list-file">
      <button type="button" className="file-list-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={16} aria-hidden className="file-list-arrow" />
        <span className="file-list-path">{from === undefined ? path : `${from} → ${path}`}</span>
        <span className="badge">{kindWords[kind]}</span>
        {undone && <span className="badge">taken back</span>}
        {conflict && <span className="badge warn">changed since</span>}
        {binary && <span className="badge">binary</span>}
        {added !== null && removed !== null && (
          <span className="file-list-counts">
            <span className="file-list-added">+{added}</span> <span className="file-list-removed">−{removed}</span>
          </span>
        )}
      </button>
      {isOpen && <FileDiff chatId={chatId} file={file} />}
    </li>
  );
}

function FileDiff({ chatId, file }: { readonly chatId: string; readonly file: ChangedFile }) {
  const client = useClient();
  const { path, at } = file;
  const loaded = useLoaded(`${chatId} ${path} ${at}`, (signal) => client.call('GET /api/changes', { query: { chatId, path }, signal }));
  return (
    <div className="file-list-diff">
      {file.conflict && <p className="muted small">Somebody changed it since; an undo leaves it alone.</p>}
      <WhenLoaded loaded={loaded} what="diff">
        {({ diff }) =>
          diff === undefined || diff === '' ? (
            <p className="muted small">{whyNone(file)}</p>
          ) : (
            <DiffView diff={diff} path={path} id={`change:${chatId}:${path}`} />
          )
        }
      </WhenLoaded>
    </div>
  );
}

function whyNone({ binary, kind }: ChangedFile): string {
  if (binary) return 'It is no text, so there is nothing to compare line by line.';
  return kind === 'moved' ? 'Only its place changed.' : 'It is too large to compare, or what it was is not kept.';
}
