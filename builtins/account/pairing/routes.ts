// Pairing over HTTP: a code from whoever is in, a token for whoever brings it, and the list of devices.
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Http, Route } from 'agent-harness/plugins/http';
import type { Device, Devices } from './device-store.ts';
import { findPageAddresses } from './page-addresses.ts';
import type { PairingCodes } from './pairing-code.ts';

export interface PairingParts {
  readonly codes: PairingCodes;
  readonly devices: Devices;
  readonly http: Http;
  readonly makeError: (reason: 'CODE_WRONG' | 'NOT_FOUND' | 'NOT_SERVING', details?: Readonly<Record<string, unknown>>) => KernelError;
}

const strict = { additionalProperties: false } as const;
const row = Type.Object({ id: Type.String(), name: Type.String(), createdAt: Type.String(), lastSeenAt: Type.Optional(Type.String()) });
const beginning = {
  body: Type.Object({}, strict),
  reply: Type.Object({
    code: Type.String({ description: 'Works once.' }),
    expiresAt: Type.String(),
    address: Type.String({ description: 'Of the page, with the code in it: for a QR code.' }),
    urls: Type.Array(Type.String(), { description: 'Where the page can be opened.' }),
    localOnly: Type.Boolean({ description: 'The server listens on this machine only, so no other device reaches it.' }),
  }),
};
const pairing = {
  body: Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 32 }), deviceName: Type.String({ minLength: 1, maxLength: 200, description: 'For the list of devices.' }) },
    strict,
  ),
  reply: Type.Object({ token: Type.String({ description: 'Of this device; it is told only now.' }), device: row }),
};
const listing = {
  reply: Type.Object({
    devices: Type.Array(row),
    openUntil: Type.Union([Type.String(), Type.Null()], { description: 'Until when a code that was given out can still be used.' }),
  }),
};
const revoking = { params: Type.Object({ id: Type.String() }), reply: Type.Object({ ok: Type.Boolean() }) };

export function createPairingRoutes({ codes, devices, http, makeError }: PairingParts): Route[] {
  return [
    route({
      key: 'POST /api/pair/begin',
      summary: 'Gives a code that pairs one device within 5 minutes; an earlier code counts no longer.',
      tag: 'account',
      schema: beginning,
      async handle() {
        const address = http.address();
        if (!address) throw makeError('NOT_SERVING');
        await devices.setUp();
        const { urls, isLocalOnly } = findPageAddresses(address);
        const { code, expiresAt } = codes.begin();
        return { code, expiresAt, address: `${urls[0]}/#/pair/${code}`, urls: [...urls], localOnly: isLocalOnly };
      },
    }),
    route({
      key: 'POST /api/pair',
      summary: 'Takes a code and answers a token for this device.',
      tag: 'account',
      schema: pairing,
      auth: 'open',
      isGuessable: true,
      async handle({ body: { code, deviceName } }) {
        if (!codes.redeem(code)) throw makeError('CODE_WRONG');
        const { device, token } = await devices.add(readName(deviceName));
        return { token, device: withoutHash(device) };
      },
    }),
    route({
      key: 'GET /api/pair/devices',
      summary: 'Lists the paired devices.',
      tag: 'account',
      schema: listing,
      handle: async () => ({ devices: (await devices.list()).map(withoutHash), openUntil: codes.openUntil() ?? null }),
    }),
    route({
      key: 'DELETE /api/pair/devices/:id',
      summary: 'Takes the access of a paired device back; open streams are closed.',
      tag: 'account',
      schema: revoking,
      async handle({ params: { id } }) {
        if (!(await devices.revoke(id))) throw makeError('NOT_FOUND', { id });
        http.endStreams();
        return { ok: true };
      },
    }),
  ];
}

/** Keeps each route's own types while it is written; a list of routes has none. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

function withoutHash({ hash: _, ...rest }: Device): Omit<Device, 'hash'> {
  return rest;
}

/** A name from outside: one line, nothing that moves a cursor or hides. */
function readName(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain === '' ? 'Device' : [...plain].slice(0, 60).join('');
}
