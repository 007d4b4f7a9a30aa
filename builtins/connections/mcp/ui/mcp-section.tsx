// The MCP servers that are connected.
import { useClient } from '#page/kit/hooks.ts';
import { ConnectionSection } from '#page/points/connections/connection-section.tsx';
import { AddMcp } from './add-mcp.tsx';

export function McpSection() {
  const { call } = useClient();
  return (
    <ConnectionSection
      kind="mcp"
      title="MCP servers"
      intro="Programs and services whose tools the agent may use."
      one="MCP server"
      Form={AddMcp}
      remove={(name) => call('DELETE /api/integrations/mcp/:name', { params: { name } })}
    />
  );
}
