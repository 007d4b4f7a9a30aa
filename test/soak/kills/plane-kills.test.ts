// Kills the built control plane, or a dependency, during writes of every kind.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../../helpers/dice.ts';
import { copyEmbeddedFolder } from '../../helpers/embedded-folder.ts';
import { startNatsServer } from '../../helpers/nats.ts';
import { hasTool } from '../../helpers/required-tools.ts';
import { playKills } from '../../helpers/plane-kills.ts';
import { createTestDatabase, startOwnServer } from '../../helpers/postgres.ts';

const secret = { HUB_SECRET: 'a secret of the tests with more than 32 characters' };

interface Case {
  readonly what: string;
  readonly kills: number;
  readonly needs: readonly Parameters<typeof hasTool>[0][];
  readonly set?: () => Promise<{ readonly environment: Readonly<Record<string, string>>; readonly breakIt?: () => Promise<void> }>;
}

const cases: readonly Case[] = [
  { what: 'the node on PostgreSQL', kills: 3, needs: ['PostgreSQL'], set: async () => ({ environment: { DATABASE_URL: await createTestDatabase() } }) },
  { what: 'the node with the embedded database', kills: 1, needs: [] },
  {
    what: 'PostgreSQL',
    kills: 3,
    needs: ['PostgreSQL'],
    async set() {
      const server = await startOwnServer();
      onTestFinished(() => server.dispose());
      return { environment: { DATABASE_URL: server.url }, breakIt: async () => (await server.stop(), server.start()) };
    },
  },
  {
    what: 'NATS',
    kills: 5,
    needs: ['PostgreSQL', 'nats-server'],
    async set() {
      const nats = await startNatsServer();
      onTestFinished(() => nats.kill());
      return { environment: { DATABASE_URL: await createTestDatabase(), NATS_URL: nats.url }, breakIt: async () => (await nats.kill(), nats.start()) };
    },
  },
];

test.each(cases.filter(({ needs }) => needs.every(hasTool)))(
  'keeps acknowledged writes and counts repeated ones once when $what is killed',
  { timeout: 180_000 },
  async ({ kills, set }) => {
    const home = await mkdtemp(join(tmpdir(), 'plane-kills-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    if (!set) await copyEmbeddedFolder(join(home, 'hub'));
    const { environment = {}, breakIt } = (await set?.()) ?? {};
    const outcome = await playKills({ home, environment: { ...secret, ...environment }, kills, seed, ...(breakIt ? { breakIt } : {}) });
    expect(outcome.faults).toEqual([]);
    expect(outcome.kills).toBe(kills);
    expect(Math.min(...Object.values(outcome.acknowledged))).toBeGreaterThan(0);
  },
);
