// Serves pairing over HTTP: creates codes, exchanges a code for a token, and lists devices.
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import { findOwnAddresses } from '#lib/own-addresses';
import type { Http, Route } from 'agent-harness/plugins/http';
import type { PairingWay } from './contract.ts';
import { deviceRoles, defaultRole, type DeviceRole } from './device-role.ts';
import type { Device, Devices } from './device-store.ts';
import type { NetworkListeners } from './network-listeners.ts';
import type { OwnedPairing } from './pair.ts';
import type { PairingCodes } from './pairing-code.ts';

export interface PairingParts {
  readonly codes: PairingCodes;
  readonly devices: Devices;
  readonly pairing: OwnedPairing;
  readonly ways: ReadonlyMap<string, PairingWay>;
  readonly network: NetworkListeners;
  readonly http: Http;
  readonly makeError: (reason: 'NOT_FOUND' | 'NOT_SERVING' | 'WAY_UNAVAILABLE', details?: Readonly<Record<string, unknown>>) => KernelError;
}

const strict = { additionalProperties: false } as const;
const role = Type.Unsafe<DeviceRole>(
  Type.String({
    enum: [...deviceRoles],
    description: '`view` can read chats; `chat` can also send messages and stop turns, but not decide approvals; `full` has the rights of the owner.',
  }),
);
const row = Type.Object({ id: Type.String(), name: Type.String(), role, createdAt: Type.String(), lastSeenAt: Type.Optional(Type.String()) });
const beginning = {
  body: Type.Object(
    {
      role: Type.Optional(role),
      way: Type.Optional(Type.Literal('outside', { description: 'Set for a device outside the network, which connects through the control plane.' })),
    },
    strict,
  ),
  reply: Type.Object({
    code: Type.String({ description: 'One-time pairing code.' }),
    role,
    expiresAt: Type.String(),
    address: Type.String({ description: 'Address of the page with the code, for a QR code.' }),
    urls: Type.Array(Type.String(), { description: 'Addresses of the page.' }),
    localOnly: Type.Boolean({ description: 'Whether the server listens on this machine only, so that no other device can reach it.' }),
  }),
};
const taking = {
  body: Type.Object(
    {
      code: Type.String({ minLength: 1, maxLength: 32 }),
      deviceName: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the device in the list of devices.' }),
    },
    strict,
  ),
  reply: Type.Object({ token: Type.String({ description: 'Token of this device; returned only once.' }), device: row }),
};
const listing = {
  reply: Type.Object({
    devices: Type.Array(row),
    openUntil: Type.Union([Type.String(), Type.Null()], { description: 'Expiry of the open code; null if there is none.' }),
    ways: Type.Array(Type.String(), { description: 'Further available transports for pairing: `outside`.' }),
    network: Type.Union([Type.Literal('closed'), Type.Literal('allowed'), Type.Literal('server')], {
      description:
        'Whether devices in the network can reach this server. `closed`: no; `allowed`: through additional listeners (`PUT /api/pair/network`); `server`: at its own address.',
    }),
  }),
};
const allowing = {
  body: Type.Object({ isAllowed: Type.Boolean() }, strict),
  reply: Type.Object({ urls: Type.Array(Type.String(), { description: 'Addresses at which devices in the network can reach the server.' }) }),
};
const changing = { params: Type.Object({ id: Type.String() }), body: Type.Object({ role }, strict), reply: Type.Object({ device: row }) };
const revoking = { params: Type.Object({ id: Type.String() }), reply: Type.Object({ ok: Type.Boolean() }) };

const needsAccount =
  'Pairing a device outside the network requires a Pro account with its control plane. Sign in with `app login`, or pair in your own network, which needs no account.';

export function createPairingRoutes({ codes, devices, pairing, ways, network, http, makeError }: PairingParts): Route[] {
  /** Rejects with `WAY_UNAVAILABLE`. */
  async function offer(name: string, role: DeviceRole) {
    const way = ways.get(name);
    const why = way ? way.unavailable() : needsAccount;
    if (!way || why !== undefined) throw makeError('WAY_UNAVAILABLE', { why });
    const given = codes.begin(role);
    return { ...given, address: await way.offer(given) };
  }

  return [
    route({
      key: 'POST /api/pair/begin',
      summary: 'Creates a code that pairs one device within 5 minutes, with the role `chat` by default. An earlier code becomes invalid.',
      tag: 'account',
      schema: beginning,
      async handle({ body: { role = defaultRole, way } }) {
        const address = http.address();
        if (!address) throw makeError('NOT_SERVING');
        if (way !== undefined) {
          const offered = await offer(way, role);
          return { ...offered, role, urls: [offered.address], localOnly: false };
        }
        await devices.setUp();
        const own = findOwnAddresses(address);
        const allowed = own.isLocalOnly ? await network.urls() : [];
        const { urls, isLocalOnly } = allowed.length > 0 ? { urls: allowed, isLocalOnly: false } : own;
        const { code, expiresAt } = codes.begin(role);
        return { code, role, expiresAt, address: `${urls[0]}/#/pair/${code}`, urls: [...urls], localOnly: isLocalOnly };
      },
    }),
    route({
      key: 'POST /api/pair',
      summary: 'Exchanges a code for a token of this device.',
      tag: 'account',
      schema: taking,
      auth: 'open',
      isGuessable: true,
      async handle({ body: { code, deviceName } }) {
        const { device, token } = await pairing.pair(code, deviceName);
        return { token, device: withoutHash(device) };
      },
    }),
    route({
      key: 'GET /api/pair/devices',
      summary: 'Lists the paired devices.',
      tag: 'account',
      schema: listing,
      async handle() {
        // Reads the code state before the device list: a client that sees a used code must also see its device.
        const openUntil = codes.openUntil() ?? null;
        await pairing.idle();
        const open = [...ways.values()].filter((way) => way.unavailable() === undefined).map(({ name }) => name);
        const address = http.address();
        const isLocalOnly = address !== undefined && findOwnAddresses(address).isLocalOnly;
        const reach = !isLocalOnly ? ('server' as const) : (await network.urls()).length > 0 ? ('allowed' as const) : ('closed' as const);
        return { devices: (await devices.list()).map(withoutHash), openUntil, ways: open, network: reach };
      },
    }),
    route({
      key: 'PUT /api/pair/network',
      summary: 'Allows or blocks access to this server from the local network. Each device needs its own token.',
      tag: 'account',
      schema: allowing,
      async handle({ body: { isAllowed } }) {
        await network.allow(isAllowed);
        return { urls: [...(await network.urls())] };
      },
    }),
    route({
      key: 'PATCH /api/pair/devices/:id',
      summary: 'Changes the role of a paired device. Open streams are closed and reconnect with the new rights.',
      tag: 'account',
      schema: changing,
      async handle({ params: { id }, body: { role } }) {
        const device = await devices.setRole(id, role);
        if (!device) throw makeError('NOT_FOUND', { id });
        http.endStreams();
        return { device: withoutHash(device) };
      },
    }),
    route({
      key: 'DELETE /api/pair/devices/:id',
      summary: 'Revokes the access of a paired device and closes its open streams.',
      tag: 'account',
      schema: revoking,
      async handle({ params: { id } }) {
        if (!(await devices.revoke(id))) throw makeError('NOT_FOUND', { id });
        http.endStreams();
        pairing.notify();
        return { ok: true };
      },
    }),
  ];
}

/** Checks each handler against its own schema; the returned type erases the schema. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

function withoutHash({ hash: _, ...rest }: Device): Omit<Device, 'hash'> {
  return rest;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/pair/begin': typeof beginning;
    'POST /api/pair': typeof taking;
    'GET /api/pair/devices': typeof listing;
    'PUT /api/pair/network': typeof allowing;
    'PATCH /api/pair/devices/:id': typeof changing;
    'DELETE /api/pair/devices/:id': typeof revoking;
  }
}
