// Renders the blocks of a Markdown text. Only changed blocks are parsed and rendered again.
import { memo, startTransition, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { CodeBlock } from '../code/code-block.tsx';
import { completeMarkdown } from './complete-markdown.ts';
import { MoreButton, useCut } from '../cut.tsx';
import { useStoredState } from '../stored-state.ts';
import type { Footnote } from './footnotes.ts';
import { Formula } from './formula.tsx';
import { lazyPart } from '../lazy-part.ts';
import { PlainOnError } from '../plain-on-error.tsx';
import { readMarkdown } from './read-markdown.tsx';
import { TableTools } from './table-tools.tsx';
import { createSplitter, type Block } from './split-markdown.ts';
import { useThrottled } from './use-throttled.ts';
import { t, tn } from '../t.ts';

const DiagramBlock = lazyPart(async () => (await import('../diagram/diagram-block.tsx')).DiagramBlock);
const limits = { lines: 20_000, chars: 400_000 };
const plainLimits = { lines: 2_000, chars: 40_000 };
const maxTableRows = 200;
/** Number of blocks that are rendered at once; other blocks show their source until then. */
const blocksAtOnce = 25;
/** Maximum number of characters of a growing block that is parsed on each change; longer blocks are parsed when complete. */
const maxGrowing = 4_000;

interface Props {
  readonly id: string;
  readonly text: string;
  readonly isStreaming: boolean;
}

export function MarkdownBlocks({ id, text: whole, isStreaming }: Props) {
  const { text, more } = useCut(id, whole, limits, t('Show the whole message'));
  const [split] = useState(createSplitter);
  const { blocks, definitions, notes } = useMemo(() => split(text, isStreaming), [split, text, isStreaming]);
  const noteIds = notes.map((note) => note.id).join('\n');
  const count = useGrowing(id, blocks.length);
  // The end of the text is in view first.
  const firstDrawn = blocks.length - count;
  return (
    <>
      {blocks.map((block, index) =>
        index < firstDrawn ? (
          <WaitingBlock key={block.key} text={block.raw} />
        ) : (
          <OneBlock
            key={block.key}
            id={`${id}:${block.key}`}
            block={block}
            definitions={block.raw.includes('[') ? definitions : ''}
            noteIds={block.raw.includes('[^') ? noteIds : ''}
            isGrowing={isStreaming && index === blocks.length - 1}
          />
        ),
      )}
      {notes.length > 0 && <Footnotes notes={notes} definitions={definitions} noteIds={noteIds} />}
      {more}
    </>
  );
}

const WaitingBlock = memo(function WaitingBlock({ text }: { readonly text: string }) {
  return <p className="md-waiting">{text}</p>;
});

interface FootnotesProps {
  readonly notes: readonly Footnote[];
  readonly definitions: string;
  readonly noteIds: string;
}

function Footnotes({ notes, definitions, noteIds }: FootnotesProps) {
  return (
    <section className="md-notes" aria-label={t('Footnotes')}>
      <ol>
        {notes.map((note) => (
          <li key={note.id} dir="auto">
            <Reading raw={note.text} definitions={definitions} noteIds={noteIds} isGrowing={false} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns how many of the newest blocks are rendered. A row that the list mounts again gets its former state. */
function useGrowing(id: string, length: number): number {
  const [count, setCount] = useStoredState(`drawn:${id}`, blocksAtOnce);
  useEffect(() => {
    // Renders more blocks than the text has, so that it can grow; rendered blocks stay rendered.
    if (count < length + blocksAtOnce / 2) startTransition(() => setCount(count + blocksAtOnce));
  }, [count, length, setCount]);
  return count;
}

interface BlockProps {
  readonly id: string;
  readonly block: Block;
  readonly definitions: string;
  /** Ids of footnotes, one per line. */
  readonly noteIds: string;
  readonly isGrowing: boolean;
}

const OneBlock = memo(
  function OneBlock({ id, block, definitions, noteIds, isGrowing }: BlockProps) {
    return (
      <PlainOnError text={block.raw}>
        {block.kind === 'code' && <Fenced id={id} lang={block.lang} code={block.code} isStreaming={isGrowing} />}
        {block.kind === 'table' && <TableBlock id={id} raw={block.raw} rows={block.rows} definitions={definitions} noteIds={noteIds} isGrowing={isGrowing} />}
        {block.kind === 'math' && <Formula raw={block.raw} tex={block.tex} isDisplay isOpen={block.isOpen} />}
        {block.kind === 'plain' && <PlainBlock id={id} text={block.raw} />}
        {block.kind === 'text' && (
          <div className={block.isContinued ? 'md-block md-continued' : 'md-block'}>
            {isGrowing && block.raw.length > maxGrowing ? (
              <p className="md-plain">{block.raw}</p>
            ) : (
              <Reading raw={block.raw} definitions={definitions} noteIds={noteIds} isGrowing={isGrowing} />
            )}
          </div>
        )}
      </PlainOnError>
    );
  },
  (a, b) =>
    a.id === b.id &&
    a.isGrowing === b.isGrowing &&
    a.definitions === b.definitions &&
    a.noteIds === b.noteIds &&
    a.block.raw === b.block.raw &&
    a.block.kind === b.block.kind,
);

function Fenced(props: { readonly id: string; readonly lang: string; readonly code: string; readonly isStreaming: boolean }) {
  const block = <CodeBlock {...props} />;
  if (props.lang !== 'mermaid' || props.isStreaming) return block;
  return (
    <Suspense fallback={block}>
      <DiagramBlock {...props} />
    </Suspense>
  );
}

/** Renders a growing block. A long block is parsed less often, because its parsing cost grows. */
function Reading({ raw, definitions, noteIds, isGrowing }: Omit<BlockProps, 'id' | 'block'> & { readonly raw: string }) {
  const shown = useThrottled(raw, isGrowing && raw.length > 2_000 ? Math.min(1_000, raw.length / 20) : 0);
  const text = isGrowing ? completeMarkdown(shown) : shown;
  return useMemo(() => read(text, definitions, noteIds) ?? <p className="md-plain">{text}</p>, [text, definitions, noteIds]);
}

/** Parses a block; `undefined` if its nesting exceeds the recursion limit of the parser. */
function read(text: string, definitions: string, noteIds: string): ReactNode {
  try {
    return readMarkdown(text, { definitions, notes: noteIds === '' ? [] : noteIds.split('\n') });
  } catch {
    return undefined;
  }
}

function TableBlock({ id, raw, rows, definitions, noteIds, isGrowing }: Omit<BlockProps, 'block'> & { readonly raw: string; readonly rows: number }) {
  const [isAll, setAll] = useStoredState(`all:${id}`, false);
  const isCut = rows > maxTableRows && !isAll;
  return (
    <div className="md-block">
      <Reading raw={isCut ? firstLines(raw, maxTableRows + 2) : raw} definitions={definitions} noteIds={noteIds} isGrowing={isGrowing} />
      {!isGrowing && <TableTools raw={raw} />}
      {isCut && <MoreButton label={tn(rows, 'Show the row', 'Show all {count} rows')} onClick={() => setAll(true)} />}
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
