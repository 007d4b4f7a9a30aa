// Tests signals between two nodes over a real NATS server that is killed and restarted.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startNatsServer } from '../../../helpers/nats.ts';
import { hasTool } from '../../../helpers/required-tools.ts';
import { startPlane, type Plane } from '../../../helpers/plane.ts';

async function startNode(natsUrl: string, databaseUrl?: string): Promise<Plane> {
  const plane = await startPlane({ environment: { NATS_URL: natsUrl }, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  onTestFinished(() => plane.close());
  return plane;
}

const signalsOf = (plane: Plane) => plane.kernel.resolve('signals');
const connected = (...planes: readonly Plane[]): Promise<void> =>
  expect.poll(() => planes.map((one) => signalsOf(one).state())).toEqual(planes.map(() => 'connected'));

describe.skipIf(!hasTool('nats-server') || !hasTool('PostgreSQL'))('two nodes', () => {
  test('deliver signals to each other and locally once, isolated from another control plane on the same server', async () => {
    const nats = await startNatsServer();
    onTestFinished(() => nats.kill());
    const one = await startNode(nats.url);
    const other = await startNode(nats.url, one.databaseUrl);
    const stranger = await startNode(nats.url);
    const received: Record<string, unknown[]> = { one: [], other: [], stranger: [] };
    for (const [name, plane] of Object.entries({ one, other, stranger }))
      signalsOf(plane).subscribe('bus.*', (payload, topic) => received[name]?.push([topic, payload]));
    await connected(one, other, stranger);
    signalsOf(one).publish('bus.org_1', { n: 1 });
    await Promise.resolve();
    await Promise.resolve();
    expect(received['one']).toEqual([['bus.org_1', { n: 1 }]]);
    await expect.poll(() => received['other']).toEqual([['bus.org_1', { n: 1 }]]);
    signalsOf(other).publish('bus.what is.*.not', 'four parts');
    signalsOf(other).publish('bus.>', 'one strange part');
    await expect.poll(() => received['one']?.at(-1)).toEqual(['bus.>', 'one strange part']);
    expect(received['one']).toHaveLength(2);
    expect(received['stranger']).toEqual([]);
    expect((await one.call('GET', '/metrics')).body).toContain('plane_signals_total{direction="sent"} 1\n');
  });

  test('report a lost server, continue alone and report its recovery', async () => {
    const nats = await startNatsServer();
    onTestFinished(() => nats.kill());
    const one = await startNode(nats.url);
    const other = await startNode(nats.url, one.databaseUrl);
    await connected(one, other);
    const received: unknown[] = [];
    let recovered = 0;
    signalsOf(other).subscribe('a.b', (payload) => received.push(payload));
    signalsOf(other).onRecovered(() => (recovered += 1));

    await nats.kill();
    await expect.poll(() => [signalsOf(one).state(), signalsOf(other).state()]).toEqual(['lost', 'lost']);
    signalsOf(one).publish('a.b', 'nobody else hears it');
    signalsOf(other).publish('a.b', 'its own');
    await expect.poll(() => received).toEqual(['its own']);
    expect(await one.call('GET', '/readyz')).toMatchObject({ status: 200, body: { components: { signals: 'warning' } } });

    await nats.start();
    await connected(one, other);
    expect(recovered).toBe(1);
    signalsOf(one).publish('a.b', 'after');
    await expect.poll(() => received).toEqual(['its own', 'after']);
  });

  test('connect to a server that starts later, and reject an oversized payload', async () => {
    const nats = await startNatsServer();
    await nats.kill();
    const one = await startNode(nats.url);
    expect(signalsOf(one).state()).toBe('lost');
    expect(() => signalsOf(one).publish('a', 'x'.repeat(512_000))).toThrow(expect.objectContaining({ code: 'PLANE_SIGNALS_ERR_TOO_LARGE' }));
    signalsOf(one).publish('a', 'small');
    await nats.start();
    onTestFinished(() => nats.kill());
    await connected(one);
  });

  test('restore a backup into the same database, because commands open no NATS connection', async () => {
    const nats = await startNatsServer();
    onTestFinished(() => nats.kill());
    const folder = await mkdtemp(join(tmpdir(), 'nats-backup-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const node = await startNode(nats.url);
    expect(await node.run('backup', join(folder, 'backup'))).toMatchObject({ code: 0 });
    await node.close();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const command = await startPlane({ environment: { NATS_URL: nats.url }, databaseUrl: node.databaseUrl, isNotReady: true });
    onTestFinished(() => command.close());
    // Advances the timers, so that a periodic connection attempt would have run.
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect(await command.run('restore', join(folder, 'backup'), '--replace')).toMatchObject({ code: 0 });
    expect(command.logs.filter((line) => line.includes('NATS'))).toEqual([]);
    expect((await command.run('doctor')).said).toMatch(/fine +signals +NATS notifies the other nodes/);
  });
});

test('delivers signals in-process without NATS, also after a failing listener', async () => {
  const plane = await startPlane();
  onTestFinished(() => plane.close());
  const received: unknown[] = [];
  signalsOf(plane).subscribe('a.*', () => {
    throw new Error('broken listener');
  });
  const listening = signalsOf(plane).subscribe('a.b', (payload) => received.push(payload));
  signalsOf(plane).publish('a.b', 1);
  await expect.poll(() => received).toEqual([1]);
  await listening.dispose();
  signalsOf(plane).publish('a.b', 2);
  await Promise.resolve();
  expect(received).toEqual([1]);
  expect(signalsOf(plane).state()).toBe('in-process');
  expect(plane.logs.join('\n')).toContain('broken listener');
});
