// Defines the descriptors of the web tools; their code is imported on first use.
import type { ToolFamily } from 'agent-harness/plugins/tools';
import type { WebPorts } from './web-tools.ts';
import { fetchInput, searchInput } from './inputs.ts';

/** Time limit of the tools in milliseconds; longer than the maximum configurable time of a call with its attempts and its conversion. */
const timeoutMs = 215_000;

export function webFamily(ports: WebPorts): ToolFamily {
  const shape = { effects: ['read', 'network'], undo: 'none', replay: 'idempotent', timeoutMs, needsApproval: false } as const;
  let code: ReturnType<ToolFamily['load']> | undefined;
  return {
    name: 'web',
    description: 'Read web pages and search the web.',
    traits: ['knowledge', 'reads_web'],
    tools: [
      {
        ...shape,
        name: 'web_fetch',
        display: { icon: 'globe', verb: 'fetch' },
        isEveryday: true,
        description: 'Fetches a web page (GET) as text: HTML, JSON, feeds, PDF. Long pages are paged.',
        input: fetchInput,
      },
      {
        ...shape,
        name: 'web_search',
        display: { icon: 'search' },
        description: 'Searches the web; returns titles, URLs and excerpts. Read a result with web_fetch.',
        input: searchInput,
      },
    ],
    load: () => (code ??= import('./web-tools.ts').then(({ createWebTools }) => createWebTools(ports))),
  };
}
