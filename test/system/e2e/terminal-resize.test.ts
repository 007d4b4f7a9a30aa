// Tests resizing during a streamed answer. `RESIZES=200 npx vitest run --project system test/system/e2e/terminal-resize.test.ts` runs more of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diceFrom, seed } from '../../helpers/dice.ts';
import { countWords, longAnswer } from '../../helpers/long-answer.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess } from '../../helpers/server-process.ts';
import { startInTerminal } from '../../helpers/terminal.ts';

const resizes = Number(process.env['RESIZES'] ?? 20);

test(`loses, duplicates and clears no line over ${resizes} resizes during a streamed answer`, async () => {
  const pieces = longAnswer(resizes * 20);
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const lastWord = String(pieces.slice(0, resizes * 15).join('').match(/w\d{4}/g)?.at(-2)); // prettier-ignore
  const model = await startScriptedModel([{ text: pieces, delayMs: 4, stallAfter: resizes * 15, until }]);
  const home = await mkdtemp(join(tmpdir(), 'tui-home-'));
  const server = await startServerProcess({ home, workspace: home, environment: model.environment });
  const tty = startInTerminal(['tui', '--new'], {
    folder: home,
    environment: { HOME: home, APP_HOME: home },
    before: 'for i in $(seq 60); do echo shell line $i.; done',
  });
  try {
    const dice = diceFrom(seed);
    const between = (least: number, most: number): number => least + Math.floor(dice() * (most - least + 1));
    await tty.shows(/New chat in/);
    tty.type('go on\r');
    await tty.holds(/w0001/);
    const isOver = (): boolean => !/Esc stops/.test(tty.screen().join('\n')) && /\$|in \S+ out/.test(tty.screen().join('\n'));
    for (let at = 0; at < resizes; at++) {
      tty.resize(between(40, 160), between(14, 50));
      // Resizes again in the middle of the output.
      const seen = tty.chunks.length + between(1, 4);
      await tty.until('the answer goes on', () => tty.chunks.length >= seen || tty.raw().includes(lastWord));
    }
    goOn();
    await tty.until('the answer is over', isOver, 60_000);
    const text = tty.scrolled().join('\n');
    const shell = Array.from({ length: 60 }, (_, n) => text.split(`shell line ${n + 1}.`).length - 1);
    expect({ ...countWords(pieces, text), shell: shell.filter((count) => count !== 1) }).toEqual({ lost: [], doubled: [], shell: [] });
    const found = [...text.matchAll(/w\d{4}/g)].map(String);
    expect(found).toEqual([...found].sort());
    expect(tty.raw()).not.toMatch(/\u001b\[[23]J/);
  } finally {
    tty.kill('SIGKILL');
    await server.stop();
    await model.close();
    await rm(home, { recursive: true, force: true });
  }
}, 120_000);
