// Markdown of a model or a plugin. The reader of it comes in its own file; until then the text shows as it is.
import { memo, Suspense } from 'react';
import { isReachable, lazyPart } from '../lazy-part.ts';
import { PlainOnError } from '../plain-on-error.tsx';
import './markdown.css';

/** Characters; as many as are read at once. */
const shownMeanwhile = 400_000;
const load = () => import('./markdown-blocks.tsx');
const Blocks = lazyPart(async () => (await load()).MarkdownBlocks);

interface Props {
  readonly text: string;
  readonly isStreaming?: boolean;
  /** Where "Show all" is remembered. */
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

/** Fetches the reader before the first text is there, but after what the first look needs. */
export function preloadMarkdown(): void {
  const fetchIt = (): void =>
    void isReachable()
      .then((is) => (is ? load() : undefined))
      .catch(() => undefined);
  // Where the browser cannot say when it rests (Safari), the text fetches it.
  globalThis.requestIdleCallback?.(() => setTimeout(fetchIt, 300));
}
