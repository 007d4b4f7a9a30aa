// Contributes MCP servers to the connections page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'mcp',
  parts: [{ slot: 'connections', title: 'The MCP servers', order: 10, Part: lazyPart(async () => (await import('./mcp-section.tsx')).McpSection) }],
};
