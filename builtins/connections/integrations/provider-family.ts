// Builds the tools of one provider: one per defined operation, and one for any request to the provider's own addresses.
import * as Type from 'typebox';
import type { RunTool, ToolContext, ToolFamily } from 'agent-harness/plugins/tools';
import type { Accounts } from './accounts.ts';
import { isReading } from './build-call.ts';
import type { IntegrationProvider, ProviderTool } from './contract.ts';

type Declared = ToolFamily['tools'][number];

const accountId = Type.Optional(Type.String({ maxLength: 200, description: 'Account to use; default: the first.' }));
const path = Type.String({ pattern: '^(/|https?://)', maxLength: 4_000, description: 'Path under the first origin, or a full URL under any of them.' });
const query = Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])));

/** @param signal aborts running calls when the plugin unloads */
export function createFamily(provider: IntegrationProvider, accounts: Accounts, signal: AbortSignal): ToolFamily {
  const prefix = provider.id.replaceAll('-', '_');
  const everyday = provider.tools.map((tool) => declare(provider, prefix, tool));
  return {
    name: provider.id,
    description: `Work in the connected ${provider.title} account (${provider.kind}).`,
    tools: [...everyday, declareRead(provider, prefix), declareRequest(provider, prefix)],
    async load() {
      const { createCaller } = await import('./call-provider.ts');
      const call = createCaller(provider, accounts, signal);
      const runs = provider.tools.map(
        (tool) => [`${prefix}_${tool.name}`, (args: never, context: ToolContext) => call.operation(tool, args, context)] as const,
      );
      const request = (args: never, context: ToolContext) => call.request(args, context);
      return Object.fromEntries<RunTool>([...runs, [`${prefix}_read`, request], [`${prefix}_request`, request]]);
    },
  };
}

function declare(provider: IntegrationProvider, prefix: string, tool: ProviderTool): Declared {
  const isRead = isReading(tool);
  const { properties } = tool.input as { readonly properties?: Record<string, unknown> };
  return {
    name: `${prefix}_${tool.name}`,
    description: `${tool.description} (${provider.title})`,
    input: { ...tool.input, properties: { ...properties, accountId } },
    effects: isRead ? ['read', 'network'] : ['external'],
    replay: isRead ? 'pure' : 'never',
    ...(tool.mail === undefined ? {} : { compose: { path: 'to', content: 'body' } }),
  };
}

function declareRead(provider: IntegrationProvider, prefix: string): Declared {
  return {
    name: `${prefix}_read`,
    description: `Sends a GET to the ${provider.title} API with the account's token, only to ${provider.origins.join(', ')}.`,
    input: Type.Object({ path, query, accountId }, { additionalProperties: false }),
    effects: ['read', 'network'],
    replay: 'pure',
  };
}

function declareRequest(provider: IntegrationProvider, prefix: string): Declared {
  return {
    name: `${prefix}_request`,
    description: `Sends a changing request to the ${provider.title} API with the account's token, only to ${provider.origins.join(', ')}. Asks first.`,
    input: Type.Object(
      {
        method: Type.Union([Type.Literal('POST'), Type.Literal('PUT'), Type.Literal('PATCH'), Type.Literal('DELETE')]),
        path,
        query,
        body: Type.Optional(Type.Unknown({ description: 'Sent as JSON.' })),
        accountId,
      },
      { additionalProperties: false },
    ),
    effects: ['external'],
    replay: 'never',
  };
}
