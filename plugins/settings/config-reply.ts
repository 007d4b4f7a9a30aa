// Builds the reply of `GET /api/config`, the configuration summary that a client reads first, with the sections of plugins.
import * as Type from 'typebox';
import { permits } from '#lib/permits';
import type { Registry } from 'agent-harness/kernel';
import type { Rights } from 'agent-harness/plugins/http';
import type { manifest } from './manifest.ts';

export type ConfigReply = Type.Static<typeof configReplySchema>;

export interface Caller {
  readonly isLocal: boolean;
  /** The principal of the request; a local user without a token has all rights. */
  readonly principal?: Rights | undefined;
}

export const configReplySchema = Type.Object({
  webAuthToken: Type.Optional(Type.String()),
  productName: Type.String(),
  version: Type.String(),
  uiVerbosity: Type.String(),
  rights: Type.Object(
    {
      role: Type.String({ description: 'Role of the caller: viewer, member, admin or owner.' }),
      areas: Type.Optional(Type.Array(Type.String(), { description: 'Areas to which the role applies; default: all areas.' })),
    },
    { additionalProperties: false, description: 'Permissions of the caller.' },
  ),
  plugins: Type.Array(
    Type.Object({ name: Type.String(), origin: Type.String(), state: Type.String(), reason: Type.Optional(Type.String()) }, { additionalProperties: false }),
  ),
});

/** Creates the builder. Only a caller on this machine receives the web token, because a paired device must not receive a token that outlives its own. */
export function createConfigReplyBuilder(registry: Registry<typeof manifest>): (caller: Caller) => Promise<ConfigReply> {
  const { services, config } = registry;

  return async ({ isLocal, principal = { role: 'owner' } }) => {
    const webAuthToken = isLocal ? await services.webToken?.current() : undefined;
    return { ...baseReply(principal), ...(webAuthToken === undefined ? {} : { webAuthToken }) };
  };

  function baseReply({ role, areas }: Rights): ConfigReply {
    const isTrusted = permits({ role, areas }, 'server.manage');
    return {
      productName: services.product.title,
      version: services.product.version,
      uiVerbosity: config.uiVerbosity,
      rights: { role, ...(areas ? { areas: [...areas] } : {}) },
      // Callers without administration rights need only the running plugins, without faults and folders.
      plugins: services.kernel
        .report()
        .plugins.filter(({ state }) => state === 'active' || isTrusted)
        .map(({ name, origin, state, reason }) => ({ name, origin, state, ...(reason === undefined || !isTrusted ? {} : { reason }) })),
    };
  }
}
