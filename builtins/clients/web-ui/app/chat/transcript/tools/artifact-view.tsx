// Renders a stored output, which is loaded on demand: text, an image, or a download link for other data.
import { pictureTypeOf } from '#lib/values';
import { messageOf } from '#lib/errors';
import { Download, FileText } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import { ChatContext, useClient } from '../../../kit/hooks.ts';
import { CodeBlock } from '../../../kit/code/code-block.tsx';
import { textOfBytes } from './artifact-kind.ts';
import { t } from '../../../kit/t.ts';

type Content = { readonly kind: 'text'; readonly text: string; readonly lang: string } | { readonly kind: 'picture' | 'file'; readonly address: string };

export function ArtifactView({ artifactId }: { readonly artifactId: string }) {
  const client = useClient();
  const chatId = use(ChatContext)?.chatId;
  const [state, setState] = useState<'closed' | 'reading' | 'open' | { readonly problem: string }>('closed');
  const [content, setContent] = useState<Content>();
  useEffect(() => {
    if (!content || content.kind === 'text') return;
    return () => URL.revokeObjectURL(content.address);
  }, [content]);

  const open = async (): Promise<void> => {
    setState('reading');
    try {
      const query = chatId === undefined ? '' : `?chatId=${encodeURIComponent(chatId)}`;
      setContent(await contentOf(await client.bytes(`/api/artifacts/${encodeURIComponent(artifactId)}${query}`)));
      setState('open');
    } catch (fault) {
      setState({ problem: messageOf(fault) });
    }
  };

  if (state === 'open' && content) return <ArtifactContent artifactId={artifactId} content={content} onClose={() => setState('closed')} />;
  return (
    <p className="artifact-view">
      <button type="button" className="quiet-button" disabled={state === 'reading'} onClick={() => void open()}>
        <FileText size={14} aria-hidden />
        <span>{state === 'reading' ? t('Reading…') : t('Open full output')}</span>
      </button>
      {typeof state === 'object' && <span className="artifact-view-problem">{state.problem}</span>}
    </p>
  );
}

function ArtifactContent({ artifactId, content, onClose }: { readonly artifactId: string; readonly content: Content; readonly onClose: () => void }) {
  return (
    <div className="artifact-view-content">
      {content.kind === 'text' && <CodeBlock id={`artifact:${artifactId}`} lang={content.lang} code={content.text} title={t('Full output')} />}
      {content.kind === 'picture' && <img className="md-picture" src={content.address} alt={t('Output of the tool')} />}
      {content.kind === 'file' && (
        <a className="button" href={content.address} download={artifactId.slice(0, 16)}>
          <Download size={14} aria-hidden />
          {t('Save file')}
        </a>
      )}
      <button type="button" className="quiet-button" onClick={onClose}>
        {t('Close full output')}
      </button>
    </div>
  );
}

async function contentOf(blob: Blob): Promise<Content> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const picture = pictureTypeOf(bytes);
  if (picture !== undefined) return { kind: 'picture', address: URL.createObjectURL(new Blob([bytes], { type: picture })) };
  const text = textOfBytes(bytes);
  if (text === undefined) return { kind: 'file', address: URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' })) };
  return { kind: 'text', text, lang: /^\s*(<!doctype html|<html|<svg|<\?xml)/i.test(text.slice(0, 300)) ? 'html' : '' };
}
