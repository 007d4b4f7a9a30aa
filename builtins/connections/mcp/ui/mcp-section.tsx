// Renders the connected MCP servers.
import { useClient } from '#page/kit/hooks.ts';
import { ConnectionSection } from '#page/points/connections/connection-section.tsx';
import { AddMcp } from './add-mcp.tsx';
import { t } from '#page/kit/t.ts';

export function McpSection() {
  const { call } = useClient();
  return (
    <ConnectionSection
      kind="mcp"
      title={t('MCP servers')}
      intro={t('Programs and services whose tools the agent may use.')}
      one={t('MCP server')}
      Form={AddMcp}
      remove={(name) => call('DELETE /api/integrations/mcp/:name', { params: { name } })}
    />
  );
}
