// Implements the device flow (RFC 8628): a service shows a code, the user confirms it on another device, and the service fetches its license.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#lib/hash';
import { oneLine } from '#lib/text';
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { IssuedLicense, PlaneLicenses } from 'agent-harness/builtins/control-plane/plane-licenses';
import type { MakeError } from './sign-in-errors.ts';
import { createUserCode, readUserCode } from './user-code.ts';

export interface BegunDevice {
  readonly deviceCode: string;
  readonly userCode: string;
  /** Seconds between two polls. */
  readonly interval: number;
  /** Lifetime of the code in seconds. */
  readonly expiresIn: number;
}

/** A device that waits for the confirmation of its code. */
export interface PendingDevice {
  /** Name that the device reports for itself. */
  readonly device: string | undefined;
  /** Client address of the device's request. */
  readonly peer: string;
  readonly madeAt: Date;
}

export interface DeviceCodes {
  begin(about: { readonly device?: string; readonly peer: string }): Promise<BegunDevice>;
  /** Returns the device that waits for the code. Rejects with `CODE_UNKNOWN`. */
  look(userCode: string): Promise<PendingDevice>;
  /** Approves a code, once. Rejects with `CODE_UNKNOWN`. */
  approve(userCode: string, by: { readonly userId: string; readonly orgId: string }): Promise<void>;
  /** Denies a code, once. Rejects with `CODE_UNKNOWN`. */
  deny(userCode: string): Promise<void>;
  /** Returns the license once. Rejects with `AUTHORIZATION_PENDING`, `SLOW_DOWN`, `ACCESS_DENIED`, `EXPIRED_TOKEN`, and with license errors. */
  redeem(deviceCode: string): Promise<IssuedLicense>;
  sweep(): Promise<void>;
}

interface Row {
  readonly state: 'pending' | 'approved' | 'denied';
  readonly device: string | null;
  readonly user_id: string | null;
  readonly org_id: string | null;
  readonly poll_seconds: number;
  readonly is_early: boolean;
}

/** Lifetime of a code in seconds. */
const lifeSeconds = 600;
/** Initial polling interval in seconds. */
const pollSeconds = 3;
/** Seconds added to the interval of a client that polls too soon. */
const penaltySeconds = 5;
const maxPollSeconds = 60;
/** Maximum length of a device name in characters. */
const maxNameLength = 100;

export function createDeviceCodes(database: Database, licenses: PlaneLicenses, makeError: MakeError): DeviceCodes {
  const hashOf = (text: string): string => {
    const code = readUserCode(text);
    if (code === undefined) throw makeError('CODE_UNKNOWN');
    return sha256(code);
  };

  /** The error is returned after the commit, so that the poll counts. */
  async function redeemIn(query: Query, deviceHash: string): Promise<IssuedLicense | Error> {
    const [row] = await query.query<Row>(
      `select state, device, user_id, org_id, poll_seconds, coalesce(polled_at + make_interval(secs => poll_seconds) > now() + interval '200 milliseconds', false) as is_early
       from device_code where device_hash = $1 and expires_at > now() for update`,
      [deviceHash],
    );
    if (!row) return makeError('EXPIRED_TOKEN');
    if (row.state === 'denied' || (row.state === 'approved' && !row.is_early)) {
      await query.query('delete from device_code where device_hash = $1', [deviceHash]);
      if (row.state === 'denied' || row.user_id === null || row.org_id === null) return makeError('ACCESS_DENIED');
      return licenses.issue({ userId: row.user_id, orgId: row.org_id, ...(row.device === null ? {} : { device: row.device }) }, query);
    }
    const interval = row.is_early ? Math.min(maxPollSeconds, row.poll_seconds + penaltySeconds) : row.poll_seconds;
    await query.query('update device_code set polled_at = now(), poll_seconds = $2 where device_hash = $1', [deviceHash, interval]);
    return makeError(row.is_early ? 'SLOW_DOWN' : 'AUTHORIZATION_PENDING', { interval });
  }

  return {
    async begin({ device, peer }) {
      const deviceCode = randomBytes(32).toString('base64url');
      const name = device === undefined ? null : oneLine(device, maxNameLength);
      for (;;) {
        const userCode = createUserCode();
        const made = await database.query(
          `insert into device_code (device_hash, user_hash, device, peer, expires_at, poll_seconds)
           values ($1, $2, $3, $4, now() + make_interval(secs => $5), $6) on conflict (user_hash) do nothing returning 1`,
          [sha256(deviceCode), sha256(userCode), name, peer, lifeSeconds, pollSeconds],
        );
        if (made.length > 0) return { deviceCode, userCode, interval: pollSeconds, expiresIn: lifeSeconds };
      }
    },
    async look(userCode) {
      const [row] = await database.query<{ device: string | null; peer: string; made_at: Date }>(
        `select device, peer, made_at from device_code where user_hash = $1 and state = 'pending' and expires_at > now()`,
        [hashOf(userCode)],
      );
      if (!row) throw makeError('CODE_UNKNOWN');
      return { device: row.device ?? undefined, peer: row.peer, madeAt: row.made_at };
    },
    async approve(userCode, { userId, orgId }) {
      const changed = await database.query(
        `update device_code set state = 'approved', user_id = $2, org_id = $3 where user_hash = $1 and state = 'pending' and expires_at > now() returning 1`,
        [hashOf(userCode), userId, orgId],
      );
      if (changed.length === 0) throw makeError('CODE_UNKNOWN');
    },
    async deny(userCode) {
      const changed = await database.query(
        `update device_code set state = 'denied' where user_hash = $1 and state = 'pending' and expires_at > now() returning 1`,
        [hashOf(userCode)],
      );
      if (changed.length === 0) throw makeError('CODE_UNKNOWN');
    },
    async redeem(deviceCode) {
      const outcome = await database.transaction((query) => redeemIn(query, sha256(deviceCode)));
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    async sweep() {
      await database.query('delete from device_code where expires_at <= now()');
    },
  };
}
