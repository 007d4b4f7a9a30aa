// The configuration summary that a client reads first: what there is always; sections of plugins add the rest.
import * as Type from 'typebox';
import type { Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type { manifest } from './manifest.ts';

export type ConfigReply = Type.Static<typeof configReplySchema>;

export const configReplySchema = Type.Object({
  webAuthToken: Type.Optional(Type.String()),
  productName: Type.String(),
  version: Type.String(),
  uiVerbosity: Type.String(),
  plugins: Type.Array(
    Type.Object({ name: Type.String(), origin: Type.String(), state: Type.String(), reason: Type.Optional(Type.String()) }, { additionalProperties: false }),
  ),
});

/** The token goes only to a caller on this machine: a paired device must not learn the token that outlives its own. */
export function createConfigReplyBuilder(registry: Registry<typeof manifest>): (caller: { isLocal: boolean }) => Promise<ConfigReply> {
  const { services, config } = registry;

  return async ({ isLocal }) => {
    const webAuthToken = isLocal ? await services.webToken?.current() : undefined;
    return { ...baseReply(), ...(webAuthToken === undefined ? {} : { webAuthToken }) };
  };

  function baseReply(): ConfigReply {
    return {
      productName: services.product.title,
      version: services.product.version,
      uiVerbosity: config.uiVerbosity,
      plugins: services.kernel
        .report()
        .plugins.map(({ name, origin, state, reason }) => ({ name, origin, state, ...(reason === undefined ? {} : { reason }) })),
    };
  }
}
