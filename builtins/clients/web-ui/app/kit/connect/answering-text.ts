// What answers now, in words.
import type { ReplyOf } from 'agent-harness/client';
import { t, table } from '../t.ts';

type Answering = ReplyOf<'GET /api/provider'>;

const routeWords: Readonly<Record<string, string>> = table({ demo: 'the built-in demo model', managed: 'managed inference' });

/** `gpt-4.1 at OpenAI`, `qwen3 at 127.0.0.1:11434`. Pure. */
export function answeringText({ route, model, baseURL, provider, providers }: Answering): string {
  const words = routeWords[route];
  if (words !== undefined) return words;
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
  return t('{model} at {title}', { model, title: providers.find(({ id }) => id === provider)?.title ?? host });
}
