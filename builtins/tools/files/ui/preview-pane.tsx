// Renders the preview of a workspace file in the full pane.
import type { OpenChat } from 'agent-harness/client';
import { FileText } from 'lucide-react';
import { useClient } from '#page/kit/hooks.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import type { PaneTarget } from '#page/points/contribution.ts';
import { openPane } from '#page/points/pane.ts';
import { FilePreview } from './file-preview.tsx';
import { useFile } from './use-file.ts';
import { t, tx } from '#page/kit/t.ts';
import './files.css';

/** @param target path of a file in the workspace */
export function PreviewPane({ chat, target }: { readonly chat: OpenChat; readonly target?: PaneTarget | undefined }) {
  if (!target) {
    return (
      <p className="page-empty">
        {tx('{strong} Open a page, a drawing, markdown, a table, a PDF or a picture in Files, and press Preview.', {
          strong: <strong>{t('No preview is open.')}</strong>,
        })}
      </p>
    );
  }
  return <OneFile key={target.what} chatId={chat.chatId} path={target.what} />;
}

function OneFile({ chatId, path }: { readonly chatId: string; readonly path: string }) {
  const client = useClient();
  const loaded = useFile(chatId, path);
  return (
    <section className="file-viewer" aria-label={t('Preview of {path}', { path })}>
      <header className="file-viewer-head">
        <h3 className="file-viewer-path" title={path}>
          <bdi>{path}</bdi>
        </h3>
        <button type="button" className="quiet-button" onClick={() => openPane(client, 'files', path)}>
          <FileText size={14} aria-hidden /> <span>{t('Source')}</span>
        </button>
      </header>
      <WhenLoaded loaded={loaded} what={t('file')}>
        {(bytes) => <FilePreview chatId={chatId} path={path} bytes={bytes} />}
      </WhenLoaded>
    </section>
  );
}
