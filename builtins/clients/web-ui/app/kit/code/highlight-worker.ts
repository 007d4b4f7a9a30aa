// Highlights code in a worker, off the main thread.
import { common, createLowlight } from 'lowlight';
import { flattenTokens } from './flatten-tokens.ts';
import type { HighlightReply, HighlightRequest } from './highlighter.ts';

const lowlight = createLowlight(common);

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const { id, lang, text } = data;
  if (!lowlight.registered(lang)) return postMessage({ id } satisfies HighlightReply);
  try {
    const runs = flattenTokens(lowlight.highlight(lang, text));
    postMessage({ id, runs } satisfies HighlightReply, { transfer: [runs.buffer] });
  } catch {
    // Code that the grammar cannot parse stays plain.
    postMessage({ id } satisfies HighlightReply);
  }
});
