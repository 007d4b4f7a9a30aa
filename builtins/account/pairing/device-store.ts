// Stores the paired devices: names, roles and hashed tokens in one file of the home folder.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import { isSameSecret, sha256 } from '#lib/hash';
import type { Principal } from 'agent-harness/plugins/http';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import { isDeviceRole, rightsOf, type DeviceRole } from './device-role.ts';

export interface Device {
  readonly id: string;
  readonly name: string;
  /** SHA-256 hash of the token, in hex; the token itself is not stored. */
  readonly hash: string;
  readonly role: DeviceRole;
  readonly createdAt: string;
  /** Rounded to the hour. */
  readonly lastSeenAt?: string;
}

export interface Devices {
  list(): Promise<readonly Device[]>;
  /** Stores a new device and returns its token, which is not stored. */
  add(name: string, role: DeviceRole): Promise<{ readonly device: Device; readonly token: string }>;
  /** Removes a device; resolves with `false` if the device does not exist. */
  revoke(id: string): Promise<boolean>;
  /** Changes the role of a device; resolves with `undefined` if it does not exist. */
  setRole(id: string, role: DeviceRole): Promise<Device | undefined>;
  /** Returns the principal of the token's device, with the rights of its role. */
  identify(token: string): Promise<Principal | undefined>;
  /** Creates the device file if it is missing. Other machines are admitted only once the file exists. */
  setUp(): Promise<void>;
  /** Returns whether the device file exists. */
  isSetUp(): Promise<boolean>;
  /** Returns whether the user allowed devices on the local network to reach the server. */
  isInNetwork(): Promise<boolean>;
  /** Stores whether devices on the local network may reach the server. */
  setInNetwork(isAllowed: boolean): Promise<void>;
  /** Resolves when no write is pending. */
  settle(): Promise<void>;
}

interface DeviceFile {
  /** Includes invalid entries of a hand-edited file, which admit no device and stay unchanged. */
  readonly devices: readonly unknown[];
  readonly isInNetwork?: boolean;
}

export interface DeviceParts {
  readonly services: { readonly storage: Storage; readonly product: Product };
  readonly warn: (message: string) => void;
}

/** Minimum interval between updates of `lastSeenAt`, in milliseconds; without it, each request would cause a write. */
const seenEveryMs = 3_600_000;

export function createDevices({ services: { storage, product }, warn }: DeviceParts): Devices {
  const path = join(product.home, 'paired_devices.json');
  let known: Promise<DeviceFile | undefined> | undefined;
  const updates = createSerialQueue();

  /** Reads the file once; this process is the only writer while it runs. */
  function read(): Promise<DeviceFile | undefined> {
    known ??= storage.readJson(path, isDeviceFile).catch((fault: unknown) => {
      known = undefined;
      throw fault;
    });
    return known;
  }

  async function update(change: (devices: readonly Device[]) => readonly Device[]): Promise<readonly Device[]> {
    const write = (current?: DeviceFile): DeviceFile => withDevices(current, change(devicesOf(current)));
    const file = await storage.updateJson(path, write, { shape: isDeviceFile });
    known = Promise.resolve(file);
    return devicesOf(file);
  }

  function updateLastSeen({ id, lastSeenAt }: Device): void {
    const now = Date.now();
    if (lastSeenAt !== undefined && now - Date.parse(lastSeenAt) < seenEveryMs) return;
    const seen = new Date(now).toISOString();
    // Updates the in-memory state first, so that only one of several simultaneous requests writes the file.
    known = read().then((file) => withDevices(file, touch(devicesOf(file), id, seen)));
    updates
      .run(() => update((devices) => touch(devices, id, seen)))
      .catch((fault: unknown) => warn(`the last use of a device could not be stored: ${messageOf(fault)}`));
  }

  return {
    list: async () => devicesOf(await read()),
    async add(name, role) {
      const token = randomBytes(32).toString('hex');
      const device: Device = { id: randomBytes(8).toString('hex'), name, hash: sha256(token), role, createdAt: new Date().toISOString() };
      await updates.idle();
      await update((devices) => [...devices, device]);
      return { device, token };
    },
    async revoke(id) {
      await updates.idle();
      if (!devicesOf(await read()).some((device) => device.id === id)) return false;
      await update((devices) => devices.filter((device) => device.id !== id));
      return true;
    },
    async setRole(id, role) {
      await updates.idle();
      if (!devicesOf(await read()).some((device) => device.id === id)) return undefined;
      const changed = await update((devices) => devices.map((device) => (device.id === id ? { ...device, role } : device)));
      return changed.find((device) => device.id === id);
    },
    async identify(token) {
      const hash = sha256(token);
      // Compares the hash with all devices, so that the duration does not reveal a match.
      const [found] = devicesOf(await read()).filter((device) => isSameSecret(device.hash, hash));
      if (!found) return undefined;
      updateLastSeen(found);
      return { kind: 'device', id: found.id, name: found.name, ...rightsOf(found.role) };
    },
    async setUp() {
      if ((await read()) === undefined) await update((devices) => devices);
    },
    isSetUp: async () => (await read()) !== undefined,
    isInNetwork: async () => (await read())?.isInNetwork === true,
    async setInNetwork(isAllowed) {
      await updates.idle();
      if (((await read())?.isInNetwork === true) === isAllowed) return;
      const write = (current: DeviceFile = { devices: [] }): DeviceFile => ({ ...current, isInNetwork: isAllowed });
      known = Promise.resolve(await storage.updateJson(path, write, { shape: isDeviceFile }));
    },
    settle: () => updates.idle(),
  };
}

function isDeviceFile(value: unknown): value is DeviceFile {
  return Array.isArray((value as Partial<DeviceFile> | null)?.devices);
}

/** Devices paired before roles existed have no role and keep their former rights; an unknown role admits no device. */
function isDevice(one: unknown): one is Omit<Device, 'role'> & Partial<Device> {
  const { id, name, createdAt, hash, role = 'full' } = (one ?? {}) as Partial<Device>;
  return isDeviceRole(role) && [id, name, createdAt, hash].every((text) => typeof text === 'string') && /^[0-9a-f]{64}$/.test(String(hash));
}

function devicesOf(file: DeviceFile | undefined): readonly Device[] {
  return file?.devices.filter(isDevice).map((device) => ({ ...device, role: device.role ?? 'full' })) ?? [];
}

function withDevices(file: DeviceFile | undefined, devices: readonly Device[]): DeviceFile {
  return { ...file, devices: [...devices, ...(file?.devices.filter((one) => !isDevice(one)) ?? [])] };
}

function touch(devices: readonly Device[], id: string, lastSeenAt: string): Device[] {
  return devices.map((device) => (device.id === id ? { ...device, lastSeenAt } : device));
}
