// Registers pairing: other devices receive their own token in exchange for a one-time code.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type { PairingWay } from './contract.ts';
import { createDevices } from './device-store.ts';
import { createNetworkListeners } from './network-listeners.ts';
import { createPairing } from './pair.ts';
import { createPairingCodes } from './pairing-code.ts';
import { createPairingRoutes } from './routes.ts';

export const manifest = {
  name: 'pairing',
  requires: ['storage', 'product', 'http'],
  provides: ['pairing'],
  config: Type.Object({
    networkAddresses: Type.String({
      default: '',
      maxLength: 1_000,
      env: 'AGENT_PAIRING_ADDRESSES',
      title: 'Addresses for paired devices',
      description: 'Comma-separated addresses at which devices in the network can reach this server once network access is allowed. If empty, all addresses.',
      apply: 'live',
    }),
  }),
  errors: {
    NETWORK_UNAVAILABLE: { message: 'Network access cannot be allowed: {why}', status: 409 },
    CODE_WRONG: { message: 'This code is wrong, was already used, or has expired. Request a new one.', status: 403 },
    NOT_FOUND: { message: "There is no paired device '{id}'.", status: 404 },
    WAY_UNAVAILABLE: { message: '{why}', status: 409 },
    NOT_SERVING: { message: 'The server does not listen on an address, so no device can be paired.', status: 503 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const codes = createPairingCodes(() => performance.now());
  const devices = createDevices({ services, warn: (message) => registry.log.warn(message) });
  registry.add('token_source', { name: 'paired devices', identify: (token) => devices.identify(token), isSetUp: () => devices.isSetUp() });
  const ways = new Map<string, PairingWay>();
  registry.point('pairing_way', {
    validate: ({ name }) => (ways.has(name) ? `a pairing transport '${name}' already exists.` : undefined),
    added: (way) => void ways.set(way.name, way),
    removed: ({ name }) => void ways.delete(name),
  });
  const makeError = registry.error.bind(registry);
  const pairing = createPairing({ codes, devices, makeError });
  registry.provide('pairing', () => pairing);
  const network = createNetworkListeners({
    ...{ http: services.http, devices, makeError },
    child: () => registry.child('devices in the network'),
    addresses: () => registry.config.networkAddresses,
    warn: (message) => registry.log.warn(message),
  });
  emitter.on('server_listening', () => void network.resume());
  for (const route of createPairingRoutes({ codes, devices, pairing, ways, network, http: services.http, makeError })) registry.add('route', route);
  registry.defer(() => devices.settle(), 'paired devices');
}
