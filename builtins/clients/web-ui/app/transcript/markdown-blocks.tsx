// The blocks of a markdown text. Only a block whose text changed is read and drawn again.
import { memo, startTransition, useEffect, useMemo, useState, type ReactElement } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { completeMarkdown } from './complete-markdown.ts';
import { MoreButton, useCut } from './cut.tsx';
import { useKept } from './kept-state.ts';
import { markdownParts } from './markdown-parts.tsx';
import { PlainOnError } from './plain-on-error.tsx';
import { createSplitter, type Block } from './split-markdown.ts';
import { useThrottled } from './use-throttled.ts';

const limits = { lines: 20_000, chars: 400_000 };
const plainLimits = { lines: 2_000, chars: 40_000 };
const maxTableRows = 200;
/** Blocks that are drawn at once; the others follow without holding up the page. */
const blocksAtOnce = 60;
/** Characters of a growing block that are still read each time; longer ones are read when they are whole. */
const maxGrowing = 4_000;
const plugins = [remarkGfm];

interface Props {
  readonly id: string;
  readonly text: string;
  readonly isStreaming: boolean;
}

export function MarkdownBlocks({ id, text: whole, isStreaming }: Props) {
  const { text, more } = useCut(id, whole, limits, 'Show the whole message');
  const [split] = useState(createSplitter);
  const { blocks, definitions } = useMemo(() => split(text, isStreaming), [split, text, isStreaming]);
  const count = useGrowing(blocks.length);
  return (
    <>
      {blocks.slice(0, count).map((block, index) => (
        <OneBlock
          key={block.key}
          id={`${id}:${block.key}`}
          block={block}
          definitions={block.raw.includes('[') ? definitions : ''}
          isGrowing={isStreaming && index === blocks.length - 1}
        />
      ))}
      {more}
    </>
  );
}

function useGrowing(length: number): number {
  const [count, setCount] = useState(blocksAtOnce);
  useEffect(() => {
    if (count < length) startTransition(() => setCount((now) => now + blocksAtOnce));
  }, [count, length]);
  return count;
}

interface BlockProps {
  readonly id: string;
  readonly block: Block;
  readonly definitions: string;
  readonly isGrowing: boolean;
}

const OneBlock = memo(
  function OneBlock({ id, block, definitions, isGrowing }: BlockProps) {
    return (
      <PlainOnError text={block.raw}>
        {block.kind === 'code' && <CodeBlock id={id} lang={block.lang} code={block.code} isStreaming={isGrowing} />}
        {block.kind === 'table' && <TableBlock id={id} raw={block.raw} rows={block.rows} definitions={definitions} isGrowing={isGrowing} />}
        {block.kind === 'plain' && <PlainBlock id={id} text={block.raw} />}
        {block.kind === 'text' && (
          <div className={block.isContinued ? 'md-block md-continued' : 'md-block'}>
            {isGrowing && block.raw.length > maxGrowing ? (
              <p className="md-plain">{block.raw}</p>
            ) : (
              <Reading raw={block.raw} definitions={definitions} isGrowing={isGrowing} />
            )}
          </div>
        )}
      </PlainOnError>
    );
  },
  (a, b) => a.id === b.id && a.isGrowing === b.isGrowing && a.definitions === b.definitions && a.block.raw === b.block.raw && a.block.kind === b.block.kind,
);

/** The longer a growing block is, the more it costs to read, and the less often that is done. */
function Reading({ raw, definitions, isGrowing }: { readonly raw: string; readonly definitions: string; readonly isGrowing: boolean }) {
  const shown = useThrottled(raw, isGrowing && raw.length > 2_000 ? Math.min(1_000, raw.length / 20) : 0);
  const text = isGrowing ? completeMarkdown(shown) : shown;
  return useMemo(() => read(definitions === '' ? text : `${text}\n\n${definitions}`) ?? <p className="md-plain">{text}</p>, [text, definitions]);
}

/** Called as a function: what nests too deep for the reader's recursion is caught here, before React sees an error. Undefined then. */
function read(children: string): ReactElement | undefined {
  try {
    return ReactMarkdown({ children, remarkPlugins: plugins, components: markdownParts, urlTransform: keepAddress });
  } catch {
    return undefined;
  }
}

/** The parts decide themselves what becomes a link. */
const keepAddress = (url: string): string => url;

function TableBlock({ id, raw, rows, definitions, isGrowing }: Omit<BlockProps, 'block'> & { readonly raw: string; readonly rows: number }) {
  const [isAll, setAll] = useKept(`all:${id}`, false);
  const isCut = rows > maxTableRows && !isAll;
  return (
    <div className="md-block">
      <Reading raw={isCut ? firstLines(raw, maxTableRows + 2) : raw} definitions={definitions} isGrowing={isGrowing} />
      {isCut && <MoreButton label={`Show all ${rows.toLocaleString('en')} rows`} onClick={() => setAll(true)} />}
    </div>
  );
}

function firstLines(text: string, count: number): string {
  return text.split('\n', count).join('\n');
}

function PlainBlock({ id, text: whole }: { readonly id: string; readonly text: string }) {
  const { text, more } = useCut(id, whole, plainLimits);
  return (
    <div className="md-block">
      <p className="md-plain">{text}</p>
      {more}
    </div>
  );
}
