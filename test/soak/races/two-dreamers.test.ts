// Tests two processes on one home: in one idle period only one of them dreams.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../helpers/scripted-model.ts';

interface Said {
  readonly topic: string;
  readonly [name: string]: unknown;
}

function startLife(home: string, workspace: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../kills/dream-child.mjs'), home, workspace], {
    env: { PATH: process.env['PATH'], HOME: home, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said: Said[] = [];
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(JSON.parse(line) as Said);
    for (const listener of [...listeners]) listener();
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const next = (isMeant: (one: Said) => boolean): Promise<Said> =>
    new Promise((resolve) => {
      const look = (): void => {
        const at = said.findIndex(isMeant);
        if (at === -1) return;
        listeners.delete(look);
        resolve(said.splice(at, 1)[0] as Said);
      };
      listeners.add(look);
      look();
    });
  return {
    said,
    next,
    async tell(line: string): Promise<Said> {
      child.stdin.write(`${line}\n`);
      return next(({ topic, word }) => topic === 'over' && word === line.split(' ')[0]);
    },
    async end(): Promise<void> {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

test('makes one dream run and one model call when two processes of one home dream at the same time', { timeout: 20_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'two-dreamers-'));
  let calls = 0;
  let [isAsked, goOn] = [(): void => undefined, (): void => undefined];
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const model = await startScriptedModel(({ body }) => {
    if (!JSON.stringify(body.messages[0]).includes('notes while it is idle')) return { text: 'Noted.' };
    calls++;
    isAsked();
    return { text: [' ', JSON.stringify({ summary: '', upserts: [], deletes: [] })], stallAfter: 1, until };
  });
  const home = join(folder, 'home');
  const environment = { ...model.environment, AGENT_AUTO_DREAM: '1', AGENT_AUTO_DREAM_MIN_SESSIONS: '1', AGENT_AUTO_DREAM_SCAN_INTERVAL_MS: '0' };
  const lives = [startLife(home, folder, environment)];
  try {
    const [first] = lives as [ReturnType<typeof startLife>];
    await first.next(({ topic }) => topic === 'ready');
    expect(await first.tell('start')).not.toHaveProperty('fault');
    expect(await first.tell('say I use Helix for everything.')).not.toHaveProperty('fault');
    const second = startLife(home, folder, environment);
    lives.push(second);
    await second.next(({ topic }) => topic === 'ready');
    // It fails to start its work, so it runs no jobs and no heartbeat. It can only dream on command.
    expect(await second.tell('start')).toMatchObject({ fault: expect.stringContaining('Another server is using the home folder') });

    expect(await second.tell('say My sister Mira lives in Porto.')).not.toHaveProperty('fault');

    const quiet = lives.map((life) => life.tell('dream'));
    await asked;
    // The lock belongs to the home, so the other process may not dream even when a user requests it.
    const began = await Promise.race(lives.map((life, at) => life.next(({ topic }) => topic === 'dream_started').then(() => at)));
    expect(await lives[1 - began]?.tell('ask')).toMatchObject({ answer: { next: { gate: 'lock' } } });
    goOn();
    for (const over of await Promise.all(quiet)) expect(over).not.toHaveProperty('fault');
    for (const life of lives) await life.tell('dream');
    expect(calls).toBe(1);
    expect(
      lives
        .flatMap(({ said }) => said.map(({ topic }) => topic))
        .filter((topic) => topic !== 'dream_gate')
        .sort(),
    ).toEqual(['dream_completed']);
    expect((await readdir(join(home, 'dreams', 'runs'))).length).toBe(1);
  } finally {
    for (const life of lives) await life.end();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});
