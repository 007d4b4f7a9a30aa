// Serves the bundles of the plugin folder over HTTP.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import { describeCounts } from './bundle.ts';
import type { LiveBundles } from './live-bundles.ts';

const reply = Type.Object({
  bundles: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of its folder in the plugin folder.' }),
      state: Type.Union([Type.Literal('active'), Type.Literal('needs_trust'), Type.Literal('failed')]),
      reason: Type.String({ description: 'Its content, or the reason why it cannot be used.' }),
    }),
  ),
});

export function createBundlesRoute(live: () => Promise<LiveBundles>): Route {
  return {
    key: 'GET /api/bundles',
    summary: 'Lists the bundles in the plugin folder, and whether each is trusted in its current state.',
    tag: 'plugins',
    permission: 'server.manage',
    schema: { reply },
    async handle() {
      const found = await (await live()).own();
      return {
        bundles: found.map(({ folder, bundle, isTrusted }) =>
          typeof bundle === 'string'
            ? { name: folder, state: 'failed', reason: bundle }
            : {
                name: folder,
                state: isTrusted ? 'active' : 'needs_trust',
                reason: `${describeCounts(bundle)}${isTrusted ? '' : `; /bundles ${folder} shows it`}`,
              },
        ),
      };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/bundles': { reply: typeof reply };
  }
}
