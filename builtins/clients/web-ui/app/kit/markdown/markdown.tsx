// Renders Markdown from a model or a plugin. The parser is loaded on demand; until then, the source is shown.
import { memo, Suspense } from 'react';
import { isReachable, lazyPart } from '../lazy-part.ts';
import { PlainOnError } from '../plain-on-error.tsx';
import './markdown.css';

/** Maximum number of characters to show until the parser is loaded; equal to the limit of the parser. */
const shownMeanwhile = 400_000;
const load = () => import('./markdown-blocks.tsx');
const Blocks = lazyPart(async () => (await load()).MarkdownBlocks);

interface Props {
  readonly text: string;
  readonly isStreaming?: boolean;
  /** Key under which the choice "Show all" is stored. */
  readonly id?: string;
}

export const Markdown = memo(function Markdown({ text, isStreaming = false, id = 'markdown' }: Props) {
  return (
    <div className="md" dir="auto">
      <PlainOnError text={text}>
        <Suspense fallback={<p className="md-plain">{text.slice(0, shownMeanwhile)}</p>}>
          <Blocks id={id} text={text} isStreaming={isStreaming} />
        </Suspense>
      </PlainOnError>
    </div>
  );
});

/** Loads the parser after the first rendering, before the first text arrives. */
export function preloadMarkdown(): void {
  const fetchIt = (): void =>
    void isReachable()
      .then((is) => (is ? load() : undefined))
      .catch(() => undefined);
  // If the browser has no idle callbacks (Safari), the parser is loaded with the first text.
  globalThis.requestIdleCallback?.(() => setTimeout(fetchIt, 300));
}
