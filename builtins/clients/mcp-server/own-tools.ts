// Serves the agent's tools to an MCP client: each call is a turn without a model, with the usual approvals.
import type { Client } from 'agent-harness/client';
import { listIn } from '#lib/text';
import type { AgentTool } from './agent-tools.ts';
import type { OwnChat } from './connection-chat.ts';
import type { PersonAtClient } from './person-at-client.ts';
import { callTool } from './send-message.ts';

export interface OwnToolParts {
  readonly client: Client;
  readonly person: PersonAtClient;
  readonly ownChat: OwnChat;
  /** `shown`, `all`, `none`, or comma-separated names and families. */
  readonly served: string;
}

/** Returns the current tools. Rejects if the server does not respond. */
export async function listOwnTools({ client, person, ownChat, served }: OwnToolParts): Promise<AgentTool[]> {
  if (served === 'none') return [];
  const chosen = new Set(listIn(served));
  const { tools } = await client.call('GET /api/tools', { query: { schemas: true } });
  return tools
    .filter(({ name, family, visible }) => served === 'all' || (served === 'shown' ? visible : chosen.has(name) || chosen.has(family)))
    .map(({ name, description, effects, input }) => ({
      name,
      description,
      isReadOnly: effects.length > 0 && effects.every((effect) => effect === 'read'),
      inputSchema: { ...input, type: 'object' as const },
      findFault: () => undefined, // the agent validates the arguments and reports errors
      run: (args, parts) => ownChat.inTurn(undefined, (chatId) => callTool({ client, person, chatId, name, args }, parts)),
    }));
}
