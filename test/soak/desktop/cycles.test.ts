// Starts and ends the desktop app repeatedly in every way: no process remains. `DESKTOP_CYCLES=100` sets the rounds: `npm run soak desktop`.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { findBrowser } from '../../helpers/browser.ts';
import { createProgram, type Program, type Running } from '../../helpers/cli-program.ts';
import { diceFrom, seed } from '../../helpers/dice.ts';
import { hasProgram, testWith } from '../../helpers/programs-needed.ts';
import { openScreen, type VirtualScreen } from '../../helpers/virtual-screen.ts';
import { isAlive, windowLeader, windowProcesses } from '../../helpers/window-processes.ts';

const test = testWith('Xvfb');
const canRun = hasProgram('Xvfb') || process.env['CI'] === 'true';
const cycles = Number(process.env['DESKTOP_CYCLES'] ?? 5);
let screen: VirtualScreen;
let program: Program;
let environment: Record<string, string>;
beforeAll(async () => {
  if (!canRun) return;
  screen = await openScreen();
  program = await createProgram();
  environment = { DISPLAY: screen.display, AGENT_DESKTOP_BROWSER_PATH: findBrowser() ?? '' };
});
afterAll(async () => {
  if (!canRun) return;
  await program.clean();
  await screen.close();
});
const start = (): Running => program.start(['desktop'], { environment });
const ready = (running: Running): Promise<unknown> => running.until(/open in its own window; its server is http:/);

test(
  `leaves no process behind after ${cycles} starts and ends of all kinds, and starts again`,
  async () => {
    const dice = diceFrom(seed);
    const ways = ['window closed', 'server asked', 'window killed', 'server killed', 'both killed'] as const;
    const took: { readonly ms: number; readonly how: string }[] = [];
    for (let cycle = 0; cycle < cycles; cycle++) {
      const way = ways[cycle % ways.length];
      const running = start();
      const server = running.child.pid as number;
      const isEarly = cycle >= ways.length && dice() < 0.3;
      if (isEarly) await delay(dice() * 1_500);
      else await ready(running);
      const leader = await windowLeader(program.home);
      const [toServer, toWindow]: readonly [NodeJS.Signals | undefined, NodeJS.Signals | undefined] =
        way === 'window closed' ? [undefined, 'SIGTERM'] : way === 'server asked' ? ['SIGTERM', undefined] : way === 'window killed' ? [undefined, 'SIGKILL'] : way === 'server killed' ? ['SIGKILL', undefined] : ['SIGKILL', 'SIGKILL']; // prettier-ignore
      const begun = performance.now();
      if (toWindow && leader !== undefined) process.kill(leader, toWindow);
      else if (toWindow) running.child.kill('SIGTERM');
      if (toServer) running.child.kill(toServer);
      await running.ended;
      await expect.poll(() => windowProcesses(program.home), { timeout: 20_000, interval: 20, message: `${way}, cycle ${cycle}` }).toEqual([]);
      took.push({ ms: performance.now() - begun, how: `${way}${isEarly ? ' while it started' : ''}` });
      expect(isAlive(server)).toBe(false);
    }
    took.sort((a, b) => a.ms - b.ms);
    const say = (at: number): string => `${took.at(at)?.ms.toFixed(0)} ms (${took.at(at)?.how})`;
    if (cycles > 5) process.stdout.write(`${cycles} cycles; until nothing is left: median ${say(took.length >> 1)}, most ${say(-1)}, ${say(-2)}, ${say(-3)}\n`);
    const last = start();
    await ready(last);
    last.child.kill('SIGTERM');
    expect((await last.ended).code).toBe(0);
  },
  60_000 + cycles * 15_000,
);
