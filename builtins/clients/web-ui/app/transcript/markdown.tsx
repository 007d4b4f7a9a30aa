// Markdown of a model or a plugin. The reader of it comes in its own file; until then the text shows as it is.
import { lazy, memo, Suspense } from 'react';
import { PlainOnError } from './plain-on-error.tsx';
import './markdown.css';

const load = () => import('./markdown-blocks.tsx');
const Blocks = lazy(async () => ({ default: (await load()).MarkdownBlocks }));

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
        <Suspense fallback={<p className="md-plain">{text.slice(0, 20_000)}</p>}>
          <Blocks id={id} text={text} isStreaming={isStreaming} />
        </Suspense>
      </PlainOnError>
    </div>
  );
});

/** Fetches the reader before the first text is there, but after what the first look needs. */
export function preloadMarkdown(): void {
  const fetchIt = (): void => void load().catch(() => undefined);
  // Where the browser cannot say when it rests (Safari), the text fetches it.
  globalThis.requestIdleCallback?.(() => setTimeout(fetchIt, 300));
}
