// Connections to elsewhere: accounts, MCP servers, OpenAPI documents, and what the folder brings with it.
import { useClient } from '../../kit/hooks.ts';
import { useActivePlugins } from '../../points/use-active-plugins.ts';
import { AddMcp } from './add-mcp.tsx';
import { AddOpenApi } from './add-openapi.tsx';
import { connectionCalls, type ConnectionKind } from './connection-calls.ts';
import { ConnectionSection } from './connection-section.tsx';
import './connections.css';
import { ProviderSection } from './provider-section.tsx';
import { TrustSection } from './trust-section.tsx';
import '../../kit/page/form.css';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { usePageChat } from '../../kit/page/use-page-chat.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';

const kinds = [
  {
    kind: 'mcp',
    title: 'MCP servers',
    one: 'MCP server',
    intro: 'Programs and services whose tools the agent may use.',
    Form: AddMcp,
  },
  {
    kind: 'openapi',
    title: 'OpenAPI documents',
    one: 'OpenAPI document',
    intro: 'APIs whose operations become tools.',
    Form: AddOpenApi,
  },
] as const satisfies readonly { readonly kind: ConnectionKind; readonly [word: string]: unknown }[];

export function ConnectionsPage() {
  const client = useClient();
  const call = connectionCalls(client);
  const plugins = useActivePlugins();
  const { chatId } = usePageChat();
  const loaded = useLoaded('connections', (signal) => call('GET /api/integrations', { signal }));
  const trust = useLoaded(`trust ${chatId}`, (signal) => call('GET /api/workspace/trust', { query: chatId === undefined ? {} : { chatId }, signal }));

  function reload(): void {
    loaded.reload();
    trust.reload();
  }
  useEvents((event) => event.kind === 'integration_changed', 200, reload);

  return (
    <PageFrame
      title="Connections"
      intro="What the agent reaches beyond this machine, and what it may take from the folder it works in."
      isBusy={loaded.isLoading || trust.isLoading}
    >
      {plugins.has('trust') && <TrustSection chatId={chatId} loaded={trust} onDecided={reload} />}
      <WhenLoaded loaded={loaded} what="connections">
        {({ providers, connections }) => (
          <>
            {kinds
              .filter(({ kind }) => plugins.has(kind))
              .map((words) => (
                <ConnectionSection key={words.kind} {...words} connections={connections.filter(({ kind }) => kind === words.kind)} onChanged={reload} />
              ))}
            {providers.length > 0 && <ProviderSection providers={providers} onChanged={reload} />}
          </>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}
