// Renders one file: highlighted lines with numbers, or a preview of a binary file.
import { ArrowLeft, Eye } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { languageOf } from '#page/kit/code/language-of.ts';
import { toChunks } from '#page/kit/code/flatten-tokens.ts';
import { useHighlight } from '#page/kit/code/use-highlight.ts';
import { CopyButton } from '#page/kit/copy-button.tsx';
import { cutText, sizeText } from '#page/kit/cut-text.ts';
import { useClient } from '#page/kit/hooks.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { openPane } from '#page/points/pane.ts';
import { previewKindOf, textOf } from './file-kind.ts';
import { FilePreview } from './file-preview.tsx';
import { useFile } from './use-file.ts';
import { t } from '#page/kit/t.ts';
import '#page/kit/code/code-block.css';

interface ViewerProps {
  readonly chatId: string;
  readonly path: string;
  /** Number of the line to scroll to, counted from 1. */
  readonly line?: number | undefined;
  /** A new object scrolls to the line again. */
  readonly at?: object | undefined;
  readonly onClose: () => void;
}

export function FileViewer({ chatId, path, line, at, onClose }: ViewerProps) {
  const client = useClient();
  const loaded = useFile(chatId, path);
  const bytes = loaded.value;
  const text = useMemo(() => bytes && textOf(bytes), [bytes]);
  const kind = bytes && previewKindOf(path, bytes);
  return (
    <section className="file-viewer" aria-label={path}>
      <header className="file-viewer-head">
        <button type="button" className="button bare icon" aria-label={t('Back to the files')} onClick={onClose}>
          <ArrowLeft size={16} aria-hidden />
        </button>
        <h3 className="file-viewer-path" title={path}>
          <bdi>{path}</bdi>
        </h3>
        {bytes && <span className="muted small file-viewer-size">{sizeText(bytes.byteLength)}</span>}
        {text !== undefined && kind !== undefined && (
          <button type="button" className="quiet-button" onClick={() => openPane(client, 'preview', path)}>
            <Eye size={14} aria-hidden /> <span>{t('Preview')}</span>
          </button>
        )}
        {text !== undefined && <CopyButton text={() => text} />}
      </header>
      <WhenLoaded loaded={loaded} what={t('file')}>
        {(read) => (text === undefined ? <FilePreview chatId={chatId} path={path} bytes={read} /> : <CodeLines path={path} text={text} line={line} at={at} />)}
      </WhenLoaded>
    </section>
  );
}

const limits = { lines: 20_000, chars: 1_000_000 };
/** Number of lines per chunk of highlighted code. */
const perChunk = 40;

interface LinesProps {
  readonly path: string;
  readonly text: string;
  readonly line: number | undefined;
  readonly at: object | undefined;
}

function CodeLines({ path, text: whole, line, at }: LinesProps) {
  const { text, isCut, rest } = cutText(whole, limits);
  const runs = useHighlight(languageOf(path), text, false);
  const chunks = useMemo(() => toChunks(text, runs, []), [text, runs]);
  const marked = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'center' });
  }, [line, at]);
  const index = line === undefined ? -1 : Math.floor((line - 1) / perChunk);
  return (
    <>
      <pre className="file-lines" tabIndex={0} dir="ltr" aria-label={t('Lines of {path}', { path })}>
        {chunks.map((chunk, number) => (
          <code key={number} className="file-chunk">
            {number === index && line !== undefined && <Marked ref={marked} line={line} />}
            <span className="file-numbers" aria-hidden>
              {numbersOf(number * perChunk, chunk.text)}
            </span>
            <span className="file-text">
              {chunk.spans.map((span, at) =>
                span.kind === '' ? (
                  span.text
                ) : (
                  <span key={at} className={`code-${span.kind}`}>
                    {span.text}
                  </span>
                ),
              )}
            </span>
          </code>
        ))}
      </pre>
      {isCut && <p className="muted small file-viewer-rest">{t('{rest} are not shown.', { rest })}</p>}
    </>
  );
}

function Marked({ ref, line }: { readonly ref: React.Ref<HTMLSpanElement>; readonly line: number }) {
  return (
    <span ref={ref} className="file-marked" style={{ top: `calc(${(line - 1) % perChunk} * 1lh)` }}>
      <span className="visually-hidden">{t('Line {line}:', { line })} </span>
    </span>
  );
}

function numbersOf(before: number, text: string): string {
  const count = text.endsWith('\n') ? text.split('\n').length - 1 : text.split('\n').length;
  return Array.from({ length: count }, (_, index) => before + index + 1).join('\n');
}
