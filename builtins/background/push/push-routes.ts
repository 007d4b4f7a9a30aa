// Serves the routes for subscribing a browser to push notifications and for unsubscribing.
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Principal, Route } from 'agent-harness/plugins/http';
import { publicKeyOf, type PushStore, type Subscription } from './push-store.ts';

export interface PushRouteParts {
  readonly store: PushStore;
  /** Returns whether the endpoint belongs to a self-hosted push service, which may be on the local network and may lack TLS. */
  readonly isOwnService: (endpoint: URL) => boolean;
  readonly makeError: (reason: 'BAD_SUBSCRIPTION' | 'NOT_FOUND', details?: Readonly<Record<string, unknown>>) => KernelError;
  /** Sends a test message. Resolves with the reason for a failure; `undefined` on success. */
  readonly tryOut: (to: Subscription) => Promise<string | undefined>;
}

const strict = { additionalProperties: false } as const;
const row = Type.Object({
  id: Type.String(),
  name: Type.String(),
  service: Type.String({ description: 'Host of the push service of the browser.' }),
  createdAt: Type.String(),
  isOwn: Type.Boolean({ description: 'Whether the caller created the subscription.' }),
});
const listing = {
  reply: Type.Object({
    publicKey: Type.String({ description: 'Public key for `applicationServerKey`: an uncompressed P-256 point, base64url.' }),
    subscriptions: Type.Array(row),
  }),
};
const adding = {
  body: Type.Object(
    {
      endpoint: Type.String({ minLength: 1, maxLength: 2048 }),
      keys: Type.Object({ p256dh: Type.String({ maxLength: 128 }), auth: Type.String({ maxLength: 64 }) }, strict),
      name: Type.String({ minLength: 1, maxLength: 100 }),
    },
    strict,
  ),
  reply: Type.Object({ subscription: row, failure: Type.Optional(Type.String({ description: 'Reason why the test message was not delivered.' })) }),
};
const removing = { params: Type.Object({ id: Type.String() }), reply: Type.Object({ ok: Type.Boolean() }) };

const publicKeyBytes = 65;
const secretBytes = 16;

export function createPushRoutes({ store, isOwnService, makeError, tryOut }: PushRouteParts): Route[] {
  const isSubscriber = ({ by }: Subscription, principal: Principal | undefined): boolean => by.kind === principal?.kind && by.id === principal.id;
  const shown = (one: Subscription, principal: Principal | undefined) => ({
    ...{ id: one.id, name: one.name, createdAt: one.createdAt, service: new URL(one.endpoint).host },
    isOwn: isSubscriber(one, principal),
  });

  function check(endpoint: string, { p256dh, auth }: { readonly p256dh: string; readonly auth: string }): void {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
    if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwnService(url)))) {
      throw makeError('BAD_SUBSCRIPTION', { why: 'its endpoint is not an https address' });
    }
    const key = Buffer.from(p256dh, 'base64url');
    if (key.length !== publicKeyBytes || key[0] !== 4 || Buffer.from(auth, 'base64url').length !== secretBytes) {
      throw makeError('BAD_SUBSCRIPTION', { why: 'its keys do not have the format of browser keys' });
    }
  }

  return [
    route({
      key: 'GET /api/push',
      summary: 'Returns the public key for push messages, and the subscribed browsers; a paired device gets only its own.',
      tag: 'account',
      permission: 'chats.read',
      schema: listing,
      async handle({ principal }) {
        const key = await store.key();
        const all = (await store.read())?.subscriptions ?? [];
        const visible = all.filter((one) => principal?.role === 'owner' || isSubscriber(one, principal));
        return { publicKey: publicKeyOf(key), subscriptions: visible.map((one) => shown(one, principal)) };
      },
    }),
    route({
      key: 'POST /api/push',
      summary: 'Subscribes a browser: it gets notifications of pending decisions and ended turns while its page is closed.',
      tag: 'account',
      permission: 'chats.read',
      schema: adding,
      async handle({ body: { endpoint, keys, name }, principal }) {
        check(endpoint, keys);
        if (!principal) throw makeError('BAD_SUBSCRIPTION', { why: 'no user is signed in' });
        const one = await store.add({ endpoint, ...keys, name, by: { kind: principal.kind, id: principal.id } });
        const failure = await tryOut(one);
        return { subscription: shown(one, principal), ...(failure === undefined ? {} : { failure }) };
      },
    }),
    route({
      key: 'DELETE /api/push/:id',
      summary: 'Unsubscribes a browser. A paired device can unsubscribe only itself.',
      tag: 'account',
      permission: 'chats.read',
      schema: removing,
      async handle({ params: { id }, principal }) {
        const gone = await store.remove((one) => one.id === id && (principal?.role === 'owner' || isSubscriber(one, principal)));
        if (gone === 0) throw makeError('NOT_FOUND', { id });
        return { ok: true };
      },
    }),
  ];
}

/** Checks each handler against its own schema; the returned type erases the schema. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/push': typeof listing;
    'POST /api/push': typeof adding;
    'DELETE /api/push/:id': typeof removing;
  }
}
