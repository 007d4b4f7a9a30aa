// Manages the pairing code of a device: short enough to type, valid for one use within five minutes.
import { randomBytes } from 'node:crypto';
import { isSameSecret, sha256 } from '#lib/hash';
import type { DeviceRole } from './device-role.ts';

export interface PairingCodes {
  /** Creates a code and invalidates the previous one. @param role of the device that will use the code */
  begin(role: DeviceRole): { readonly code: string; readonly expiresAt: string };
  /** Redeems the code and returns its role. Returns `undefined` for any other text; compares in constant time. */
  redeem(text: string): DeviceRole | undefined;
  /** Returns the expiry of the open code; `undefined` if there is none. */
  openUntil(): string | undefined;
}

/** Excludes characters that look alike. The 32 remaining characters map a random byte without bias. */
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 8;
/** Lifetime of a code in milliseconds. */
export const codeLifeMs = 5 * 60_000;

/** Creates the store of the current code. @param now returns the time of a monotonic clock in milliseconds */
export function createPairingCodes(now: () => number): PairingCodes {
  let open: { readonly hash: string; readonly role: DeviceRole; readonly endsAt: number; readonly expiresAt: string } | undefined;

  function current(): typeof open {
    if (open && now() >= open.endsAt) open = undefined;
    return open;
  }

  return {
    begin(role) {
      const code = [...randomBytes(length)].map((byte) => signs[byte % signs.length]).join('');
      const expiresAt = new Date(Date.now() + codeLifeMs).toISOString();
      open = { hash: sha256(code), role, endsAt: now() + codeLifeMs, expiresAt };
      return { code, expiresAt };
    },
    redeem(text) {
      const given = sha256(text.toUpperCase().replace(/[^0-9A-Z]/g, ''));
      const known = current();
      if (!known || !isSameSecret(given, known.hash)) return undefined;
      open = undefined;
      return known.role;
    },
    openUntil: () => current()?.expiresAt,
  };
}
