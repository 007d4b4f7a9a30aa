// The descriptors of the web tools; everything that runs is imported on first use.
import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { ToolFamily } from 'agent-harness/plugins/tools';
import type { DocumentThreads } from './document-threads.ts';
import type { PageCache } from './page-cache.ts';
import type { WebSettings } from './web-config.ts';

export interface WebPorts {
  /** Live. */
  readonly settings: WebSettings;
  readonly pages: PageCache;
  readonly threads: DocumentThreads;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
}

const strict = { additionalProperties: false };

const fetchInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8192 }),
    maxChars: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: '20000 by default.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Where to go on, in characters.' })),
  },
  strict,
);
export type FetchArgs = Static<typeof fetchInput>;

const searchInput = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 1000, description: 'What to search for.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'How many results; 8 by default.' })),
  },
  strict,
);
export type SearchArgs = Static<typeof searchInput>;

/** Longer than the longest time that the settings allow for a call, its attempts and its conversion. */
const timeoutMs = 215_000;

export function webFamily(ports: WebPorts): ToolFamily {
  const shape = { effects: ['read', 'network'], undo: 'none', replay: 'idempotent', timeoutMs, needsApproval: false } as const;
  let code: ReturnType<ToolFamily['load']> | undefined;
  return {
    name: 'web',
    description: 'Read pages of the web, and search it.',
    tools: [
      {
        ...shape,
        name: 'web_fetch',
        isEveryday: true,
        description: 'Reads a page of the web (GET) as text: HTML, JSON, feeds, PDF. Long pages come in parts.',
        input: fetchInput,
      },
      {
        ...shape,
        name: 'web_search',
        description: 'Searches the web; answers titles, addresses and excerpts. Read a result with web_fetch.',
        input: searchInput,
      },
    ],
    load: () => (code ??= import('./web-tools.ts').then(({ createWebTools }) => createWebTools(ports))),
  };
}
