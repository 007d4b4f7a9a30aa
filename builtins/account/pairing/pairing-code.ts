// Manages the code that pairs one device: short enough to type, used once, valid for five minutes.
import { randomBytes } from 'node:crypto';
import { isSameSecret, sha256 } from '#lib/hash';
import type { DeviceRole } from './device-role.ts';

export interface PairingCodes {
  /** Replaces one that is still open. @param role of the device that will use it */
  begin(role: DeviceRole): { readonly code: string; readonly expiresAt: string };
  /** Returns the role of the open code and uses the code up. `undefined` for any other text, in constant time wherever the two differ. */
  redeem(text: string): DeviceRole | undefined;
  /** Until when the open one can be used; `undefined` if there is none. */
  openUntil(): string | undefined;
}

/** Without letters and digits that look alike; 32 of them, so that a byte maps without bias. */
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 8;
export const codeLifeMs = 5 * 60_000;

/** @param now milliseconds of a monotonic clock */
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
