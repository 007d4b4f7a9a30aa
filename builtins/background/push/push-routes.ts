// Serves the routes by which a browser subscribes to push notifications and unsubscribes.
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Principal, Route } from 'agent-harness/plugins/http';
import { publicKeyOf, type PushStore, type Subscription } from './push-store.ts';

export interface PushRouteParts {
  readonly store: PushStore;
  /** Whether the user runs a push service without TLS or in this network. */
  readonly isOwnService: (endpoint: URL) => boolean;
  readonly makeError: (reason: 'BAD_SUBSCRIPTION' | 'NOT_FOUND', details?: Readonly<Record<string, unknown>>) => KernelError;
  /** Sends one test message. Resolves with the reason of a failure. */
  readonly tryOut: (to: Subscription) => Promise<string | undefined>;
}

const strict = { additionalProperties: false } as const;
const row = Type.Object({
  id: Type.String(),
  name: Type.String(),
  service: Type.String({ description: 'The host of its push service.' }),
  createdAt: Type.String(),
  isOwn: Type.Boolean({ description: 'The caller made it.' }),
});
const listing = {
  reply: Type.Object({
    publicKey: Type.String({ description: 'For `applicationServerKey`: an uncompressed point of P-256, base64url.' }),
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
  reply: Type.Object({ subscription: row, failure: Type.Optional(Type.String({ description: 'Why the message that tries it out did not get through.' })) }),
};
const removing = { params: Type.Object({ id: Type.String() }), reply: Type.Object({ ok: Type.Boolean() }) };

const publicKeyBytes = 65;
const secretBytes = 16;

export function createPushRoutes({ store, isOwnService, makeError, tryOut }: PushRouteParts): Route[] {
  const isHers = ({ by }: Subscription, principal: Principal | undefined): boolean => by.kind === principal?.kind && by.id === principal.id;
  const shown = (one: Subscription, principal: Principal | undefined) => ({
    ...{ id: one.id, name: one.name, createdAt: one.createdAt, service: new URL(one.endpoint).host },
    isOwn: isHers(one, principal),
  });

  function check(endpoint: string, { p256dh, auth }: { readonly p256dh: string; readonly auth: string }): void {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
    if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwnService(url)))) {
      throw makeError('BAD_SUBSCRIPTION', { why: 'its endpoint is no address with https' });
    }
    const key = Buffer.from(p256dh, 'base64url');
    if (key.length !== publicKeyBytes || key[0] !== 4 || Buffer.from(auth, 'base64url').length !== secretBytes) {
      throw makeError('BAD_SUBSCRIPTION', { why: 'its keys are not those of a browser' });
    }
  }

  return [
    route({
      key: 'GET /api/push',
      summary: 'Answers the public key for push messages, and which browsers get them; a paired device sees its own.',
      tag: 'account',
      permission: 'chats.read',
      schema: listing,
      async handle({ principal }) {
        const key = await store.key();
        const all = (await store.read())?.subscriptions ?? [];
        const visible = all.filter((one) => principal?.role === 'owner' || isHers(one, principal));
        return { publicKey: publicKeyOf(key), subscriptions: visible.map((one) => shown(one, principal)) };
      },
    }),
    route({
      key: 'POST /api/push',
      summary: 'From now on this browser is told of decisions that wait, and of turns that end, while its page is closed.',
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
      summary: 'A browser is told no longer. A paired device ends its own.',
      tag: 'account',
      permission: 'chats.read',
      schema: removing,
      async handle({ params: { id }, principal }) {
        const gone = await store.remove((one) => one.id === id && (principal?.role === 'owner' || isHers(one, principal)));
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
