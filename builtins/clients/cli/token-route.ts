// Serves the route that rotates the web token of the running server.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { CliParts } from './cli-parts.ts';

const schema = { body: Type.Object({}, { additionalProperties: false }), reply: Type.Object({ token: Type.String() }) };

export function createTokenRoute({ services }: Pick<CliParts, 'services'>): Route<typeof schema> {
  return {
    key: 'POST /api/token/rotate',
    summary: 'Replaces the web token; open streams are closed and the old token is refused from then on.',
    tag: 'account',
    schema,
    handle: async () => ({ token: await services.webToken.rotate() }),
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/token/rotate': typeof schema;
  }
}
