// Serves the routes that renew and revoke a license, and return the public key.
import * as Type from 'typebox';
import { keyFingerprint, planeLines } from '#lib/plane-key';
import type { PlaneKeys } from 'agent-harness/builtins/control-plane/plane-keys';
import type { People } from 'agent-harness/builtins/control-plane/plane-people';
import type { PlaneSite } from 'agent-harness/builtins/control-plane/plane-serve';
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import type { Licenses } from './licenses.ts';
import type { MakeError } from './license-errors.ts';

const strict = { additionalProperties: false } as const;
const empty = Type.Object({}, strict);

const keyReply = Type.Object(
  {
    publicKey: Type.String({ description: 'PEM (SPKI), Ed25519.' }),
    fingerprint: Type.String({ description: 'Fingerprint for people to compare: `SHA256:…`.' }),
    environment: Type.String({ description: 'Lines for the file `.env` of a service.' }),
  },
  strict,
);

/** These routes check the token themselves, because they also accept expired licenses. */
export function licenseRoutes(
  licenses: Licenses,
  people: People,
  keys: Pick<PlaneKeys, 'publicKey'>,
  site: Pick<PlaneSite, 'url'>,
  makeError: MakeError,
): Route[] {
  const tokenOf = ({ headers }: RouteContext): string => {
    const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) throw makeError('TOKEN_INVALID');
    return token;
  };

  return [
    {
      key: 'GET /api/license/key',
      summary: 'Returns the public key with which services verify licenses of this control plane.',
      tag: 'licenses',
      auth: 'open',
      schema: { reply: keyReply },
      async handle() {
        const publicKey = await keys.publicKey();
        return { publicKey, fingerprint: keyFingerprint(publicKey), environment: planeLines(site.url(), publicKey).join('\n') };
      },
    },
    {
      key: 'POST /api/license/renew',
      summary: 'Renews a license for 30 days with the current role and plan. Accepts licenses that expired up to 14 days ago.',
      tag: 'licenses',
      auth: 'open',
      schema: { body: empty, reply: Type.Object({ token: Type.String(), tier: Type.String(), expiresAt: Type.String() }, strict) },
      async handle(context) {
        const { token, tier, expiresAt } = await licenses.renew(tokenOf(context));
        return { token, tier, expiresAt: expiresAt.toISOString() };
      },
    },
    {
      key: 'POST /api/license/revoke',
      summary: 'Signs a service out: revokes the license of the request.',
      tag: 'licenses',
      auth: 'open',
      schema: { body: empty, reply: Type.Object({ ok: Type.Literal(true) }, strict) },
      async handle(context) {
        people.changed({ what: 'credential', credential: await licenses.revokeOwn(tokenOf(context)) });
        return { ok: true };
      },
    },
  ];
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/license/key': { reply: typeof keyReply };
  }
}
