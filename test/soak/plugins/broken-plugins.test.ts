// Tests broken plugins as a table: the fault in the server and in a child process, the plugin named in the report, and the server's response times.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { broken, fileOf, nameOfBroken, type Broken, type Place } from '../../helpers/broken-plugins.ts';
import { inSoak } from '../../helpers/dice.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let server: ServerProcess;
afterEach(async () => {
  await server.stop('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

interface Line {
  readonly what: string;
  readonly reported: string;
  readonly isAlive: boolean;
  readonly usualMs: number;
  readonly longestMs: number;
}

/** Twice the longest expected time. A successful run does not wait that long. */
const reportMs = 20_000;

async function start(): Promise<void> {
  server = await startServerProcess({ home, workspace: home, environment: { NODE_OPTIONS: '--max-old-space-size=400' } });
  while ((await server.call('GET', '/api/config')).status === 503);
}

const ask = (path: string): Promise<{ status: number; body: any }> => server.call('GET', path).catch((fault: unknown) => ({ status: 0, body: String(fault) }));

async function reportOf(name: string): Promise<string> {
  const plugins = await ask('/api/plugins');
  const row = plugins.body.plugins?.find((one: any) => one.name === name);
  const reported = (plugins.body.errors ?? []).filter(({ plugin }: any) => plugin === name).map(({ message }: any) => message);
  return [row?.state === 'failed' || row?.state === 'disabled' ? row.reason : undefined, ...reported].filter((text) => text !== undefined).join(' | ');
}

function watchAnswers(): () => Promise<{ usualMs: number; longestMs: number }> {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      await ask('/api/status');
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    const sorted = times.sort((left, right) => left - right);
    return { usualMs: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), longestMs: Math.round(sorted.at(-1) ?? 0) };
  };
}

async function tryOne(one: Broken, place: Place): Promise<Line> {
  const name = nameOfBroken(one);
  const wanted = one.report[place];
  const isEnd = one.ends?.includes(place) === true;
  const end = watchAnswers();
  if (one.call !== undefined) await ask(`/api/${name}`);
  if (isEnd) {
    await server.stop('SIGCONT');
    await end();
    await start();
  } else if (one.call !== undefined) await ask(`/api/${name}-fine`);
  let reported = await reportOf(name);
  for (const until = performance.now() + reportMs; wanted && !wanted.test(reported) && performance.now() < until;) {
    // A request to a busy plugin detects that it hangs.
    if (!isEnd && one.call !== undefined) await ask(`/api/${name}-fine`);
    reported = await reportOf(name);
  }
  const { usualMs, longestMs } = isEnd ? { usualMs: 0, longestMs: 0 } : await end();
  return { what: one.what, reported, isAlive: (await ask('/api/status')).status === 200, usualMs, longestMs };
}

function tableOf(place: Place, lines: readonly Line[]): string {
  const width = Math.max(...lines.map(({ what }) => what.length));
  return [
    `In the ${place}:`,
    ...lines.map(({ what, reported, isAlive, usualMs, longestMs }) => {
      const state = isAlive ? `${usualMs} ms, at most ${longestMs}`.padStart(20) : 'the server is gone'.padStart(20);
      return `  ${what.padEnd(width)} ${state}  ${(reported === '' ? '-' : reported).replaceAll('\n', ' ').slice(0, 150)}`;
    }),
    '',
  ].join('\n');
}

const places = ['process', 'child'] as const;
/** The gate runs each plugin in one place, a soak in all of them. */
const inPlace = (place: Place): readonly Broken[] =>
  inSoak(
    broken,
    broken.filter((_one, at) => places[at % places.length] === place),
  );

test.for(places)('reports each broken plugin by name in a %s and keeps answering', { timeout: 240_000 }, async (place) => {
  const tried = inPlace(place);
  home = await mkdtemp(join(tmpdir(), 'broken-'));
  await mkdir(join(home, 'plugins'), { mode: 0o700 });
  for (const one of tried) await writeFile(join(home, 'plugins', `${nameOfBroken(one)}.mjs`), fileOf(one, place), { mode: 0o600 });
  await start();
  const { pid } = server;
  const lines: Line[] = [];
  for (const one of tried) lines.push(await tryOne(one, place));
  process.stdout.write(`${tableOf(place, lines)}\n`);
  const wrong = tried.flatMap((one, at) => {
    const wanted = one.report[place];
    const { reported = '', isAlive } = lines[at] ?? {};
    return isAlive === true && (!wanted || wanted.test(reported)) ? [] : [`${one.what}: ${reported}`];
  });
  expect(wrong).toEqual([]);
  if (place !== 'process') expect(server.pid).toBe(pid);
});
