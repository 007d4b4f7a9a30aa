// Renders a code block with its language, a copy button, and delayed highlighting. HTML pages and drawings have a sandboxed preview.
import { memo, useMemo, useState, type ReactNode } from 'react';
import { CopyButton } from '../copy-button.tsx';
import { useCut } from '../cut.tsx';
import { toChunks, type Chunk } from './flatten-tokens.ts';
import { SealedPreview, sealedTypeOf } from './sealed-preview.tsx';
import { useHighlight } from './use-highlight.ts';
import { t } from '../t.ts';
import './code-block.css';

const limits = { lines: 2_000, chars: 200_000 };

interface Props {
  readonly id: string;
  readonly lang: string;
  readonly code: string;
  readonly isStreaming?: boolean;
  /** Text beside the copy button; default: the language. */
  readonly title?: string;
  /** Rendered before the copy button. */
  readonly tools?: ReactNode;
  /** Rendered below the code. */
  readonly children?: ReactNode;
  /** Shown instead of the code. */
  readonly picture?: ReactNode;
}

export const CodeBlock = memo(function CodeBlock({ id, lang, code, isStreaming = false, title = lang, tools, children, picture }: Props) {
  const { text, more } = useCut(id, code, limits);
  const type = isStreaming ? undefined : sealedTypeOf(lang, code);
  return (
    <figure className="code-block">
      <figcaption className="code-block-head">
        <span className="code-block-title">{title === '' ? t('text') : title}</span>
        <span className="code-block-tools">
          {tools}
          <CopyButton text={() => code} />
        </span>
      </figcaption>
      {picture ?? (
        <>
          <pre className="code-block-body" tabIndex={0} dir="ltr">
            <CodeText lang={lang} text={text} isStreaming={isStreaming} />
          </pre>
          {more}
        </>
      )}
      {children}
      {type !== undefined && <SealedPreview id={id} type={type} text={code} />}
    </figure>
  );
});

function CodeText({ lang, text, isStreaming }: { readonly lang: string; readonly text: string; readonly isStreaming: boolean }) {
  const runs = useHighlight(lang, text, isStreaming);
  const [chunksOf] = useState(createChunks);
  const chunks = useMemo(() => chunksOf(text, runs), [chunksOf, text, runs]);
  return (
    <code>
      {chunks.map((chunk, index) => (
        <CodeChunk key={index} chunk={chunk} />
      ))}
    </code>
  );
}

const CodeChunk = memo(function CodeChunk({ chunk }: { readonly chunk: Chunk }) {
  return (
    <span className="code-chunk">
      {chunk.spans.map((span, index) =>
        span.kind === '' ? (
          span.text
        ) : (
          <span key={index} className={`code-${span.kind}`}>
            {span.text}
          </span>
        ),
      )}
    </span>
  );
});

/** Reuses unchanged chunks. */
function createChunks(): (text: string, runs: Parameters<typeof toChunks>[1]) => readonly Chunk[] {
  let chunks: readonly Chunk[] = [];
  return (text, runs) => (chunks = toChunks(text, runs, chunks));
}
