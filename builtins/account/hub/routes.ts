// Serves the HTTP routes of the account.
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { HubAccount } from './hub-account.ts';
import {
  accountReply,
  beginReply,
  deviceReply,
  emptyBody,
  handOver,
  handOverQuery,
  inferenceReply,
  okReply,
  outcomeQuery,
  outcomeReply,
  signedInReply,
  signedOutReply,
} from './schemas.ts';

/** Page that the browser shows after the sign-in. */
const signedInPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signed in</title>
<h1>You are signed in.</h1>
<p>You can close this page and return to the application.</p>
</html>
`;

const tag = 'account';

export function hubRoutes(hub: HubAccount): Route<never>[] {
  return [...accountRoutes(hub), ...signInRoutes(hub), ...callbackRoutes(hub)];
}

function accountRoutes(hub: HubAccount): Route<never>[] {
  return [
    route({
      key: 'GET /api/hub/account',
      summary: 'Returns the account, its tier and its entitlements.',
      tag,
      schema: { reply: accountReply },
      handle: () => hub.read(),
    }),
    route({
      key: 'POST /api/hub/logout',
      summary: 'Signs out: deletes license and account from this machine, and revokes the license on the control plane.',
      tag,
      schema: { body: emptyBody, reply: signedOutReply },
      handle: async () => ({ ok: true as const, ...(await hub.signOut()) }),
    }),
    route({
      key: 'POST /api/hub/reconnect',
      summary: 'Applies the license and the inference settings again; refused while a turn runs.',
      tag,
      schema: { body: emptyBody, reply: okReply },
      handle: () => hub.reconnect().then(ok),
    }),
    route({
      key: 'GET /api/hub/inference-status',
      summary: 'Returns the credits of managed inference.',
      tag,
      schema: { reply: inferenceReply },
      handle: () => hub.inference(),
    }),
  ];
}

function signInRoutes(hub: HubAccount): Route<never>[] {
  return [
    route({
      key: 'GET /api/hub/connect/begin',
      summary: 'Starts a sign-in, and returns the address to open and its one-time state.',
      tag,
      schema: { reply: beginReply },
      handle: () => hub.begin(),
    }),
    route({
      key: 'GET /api/hub/connect/outcome',
      summary: 'Returns the outcome of a sign-in.',
      tag,
      schema: { query: outcomeQuery, reply: outcomeReply },
      handle: ({ query }) => hub.outcome(query.state),
    }),
    route({
      key: 'POST /api/hub/device/begin',
      summary: 'Starts a sign-in that is confirmed on another machine, and returns an address and a code to enter there.',
      tag,
      schema: { body: emptyBody, reply: deviceReply },
      handle: () => hub.beginDevice(),
    }),
    route({
      key: 'GET /api/hub/device',
      summary: 'Returns the outcome of the sign-in with a code.',
      tag,
      schema: { reply: deviceReply },
      handle: () => hub.device(),
    }),
    route({
      key: 'POST /api/hub/device/cancel',
      summary: 'Cancels the sign-in with a code.',
      tag,
      schema: { body: emptyBody, reply: okReply },
      handle: () => (hub.cancelDevice(), ok()),
    }),
  ];
}

function callbackRoutes(hub: HubAccount): Route<never>[] {
  /** The hosted site redirects the browser here without a token; the state identifies the user. */
  const callback = { tag, auth: 'open', allowsOrigin: (origin: string) => hub.isHubOrigin(origin) } as const;

  return [
    route({
      ...callback,
      key: 'GET /api/hub/auth/callback',
      summary: 'Finishes a sign-in by redirect and returns a page.',
      schema: { query: handOverQuery },
      mediaType: 'text/html',
      async handle({ query, peer }) {
        await hub.finish(query, peer);
        return signedInPage;
      },
    }),
    route({
      ...callback,
      key: 'POST /api/hub/auth/callback',
      summary: 'Finishes a sign-in.',
      schema: { body: handOver, reply: signedInReply },
      bodyKind: 'form',
      async handle({ body, peer, headers, reply }) {
        const tier = await hub.finish(body, peer);
        // Form posts come from a browser, which displays the response.
        if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) void reply.type('text/html; charset=utf-8').send(signedInPage);
        return { ok: true as const, tier };
      },
    }),
  ];
}

function ok(): { ok: true } {
  return { ok: true };
}

/** Infers the handler's types from the schemas. */
function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/hub/account': { reply: typeof accountReply };
    'GET /api/hub/connect/begin': { reply: typeof beginReply };
    'GET /api/hub/connect/outcome': { query: typeof outcomeQuery; reply: typeof outcomeReply };
    'POST /api/hub/device/begin': { body: typeof emptyBody; reply: typeof deviceReply };
    'GET /api/hub/device': { reply: typeof deviceReply };
    'POST /api/hub/device/cancel': { body: typeof emptyBody; reply: typeof okReply };
    'GET /api/hub/auth/callback': { query: typeof handOverQuery };
    'POST /api/hub/auth/callback': { body: typeof handOver; reply: typeof signedInReply };
    'POST /api/hub/logout': { body: typeof emptyBody; reply: typeof signedOutReply };
    'POST /api/hub/reconnect': { body: typeof emptyBody; reply: typeof okReply };
    'GET /api/hub/inference-status': { reply: typeof inferenceReply };
  }
}
