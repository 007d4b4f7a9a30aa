// Implements pairing over any transport: exchanges a code for a token.
import type { KernelError } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import type { Pairing } from './contract.ts';
import type { Device, Devices } from './device-store.ts';
import type { PairingCodes } from './pairing-code.ts';

export interface OwnedPairing extends Pairing {
  /** See {@link Pairing.pair}. */
  pair(code: string, deviceName: string): Promise<{ readonly device: Device; readonly token: string }>;
  /** Resolves when no write is pending. */
  idle(): Promise<void>;
  notify(): void;
}

export interface OwnPairingParts {
  readonly codes: PairingCodes;
  readonly devices: Devices;
  readonly makeError: (reason: 'CODE_WRONG') => KernelError;
}

export function createPairing({ codes, devices, makeError }: OwnPairingParts): OwnedPairing {
  const adding = createSerialQueue();
  const watching = new Set<() => void>();
  return {
    async pair(code, deviceName) {
      const role = codes.redeem(code);
      if (!role) throw makeError('CODE_WRONG');
      return adding.run(() => devices.add(readName(deviceName), role));
    },
    identify: (token) => devices.identify(token),
    devices: () => devices.list(),
    watch(listener) {
      const own = (): void => listener();
      watching.add(own);
      return { dispose: () => void watching.delete(own) };
    },
    idle: () => adding.idle(),
    notify() {
      for (const listener of [...watching]) listener();
    },
  };
}

/** Cleans an external name: one line, without control or invisible characters. */
function readName(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain === '' ? 'Device' : [...plain].slice(0, 60).join('');
}
