// Provides the highlighting of code, which arrives asynchronously and lags behind while the code grows.
import { useEffect, useState } from 'react';
import type { Runs } from './flatten-tokens.ts';
import { createHighlighter, type Highlighter } from './highlighter.ts';
import { useThrottled } from '../markdown/use-throttled.ts';

let shared: Highlighter | undefined;

/** One worker per page, started when the first code block is rendered. */
function sharedHighlighter(): Highlighter {
  shared ??= createHighlighter(() => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' }));
  return shared;
}

interface Coloured {
  readonly lang: string;
  readonly text: string;
  readonly runs: Runs;
}

/** The highlighting covers the text of the last request; text added since then is plain. */
export function useHighlight(lang: string, text: string, isStreaming: boolean): Runs | undefined {
  const [latest, setLatest] = useState<Coloured>();
  const asked = useThrottled(text, isStreaming ? Math.min(1_500, 250 + text.length / 50) : 0);
  const known = lang === '' ? undefined : sharedHighlighter().peek(lang, text);

  useEffect(() => {
    if (lang === '') return;
    let isWanted = true;
    void sharedHighlighter()
      .ask(lang, asked)
      .then((runs) => {
        if (isWanted && runs) setLatest({ lang, text: asked, runs });
      });
    return () => {
      isWanted = false;
    };
  }, [lang, asked]);

  if (known) return known;
  return latest && latest.lang === lang && text.startsWith(latest.text) ? latest.runs : undefined;
}
