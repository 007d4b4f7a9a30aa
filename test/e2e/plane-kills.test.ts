// The built control plane dies in the middle of writes of every kind. More of it: `node test/bench/plane/write-kills.mjs --kills 200`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../helpers/dice.ts';
import { hasTool } from '../helpers/outside-tools.ts';
import { playKills } from '../helpers/plane-kills.ts';
import { createTestDatabase } from '../helpers/postgres.ts';

const secret = { HUB_SECRET: 'a secret of the tests with more than 32 characters' };

test.each([
  ['on PostgreSQL', 3, hasTool('PostgreSQL')],
  ['on the embedded database', 1, true],
] as const)(
  '%s what was acknowledged is there, nothing is half done, and what is sent again counts once',
  { timeout: 180_000 },
  async (where, kills, isThere) => {
    if (!isThere) return;
    const home = await mkdtemp(join(tmpdir(), 'plane-kills-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const environment = { ...secret, ...(where === 'on PostgreSQL' ? { DATABASE_URL: await createTestDatabase() } : {}) };
    const { faults, acknowledged, ...outcome } = await playKills({ home, environment, kills, seed });
    expect(faults).toEqual([]);
    expect(outcome.kills).toBe(kills);
    expect(Math.min(...Object.values(acknowledged))).toBeGreaterThan(0);
  },
);
