// Tests a slow terminal: it processes frames late, replies late, and resizes at any time.
import xterm from '@xterm/headless';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMarkdownStream } from '../../../../builtins/clients/tui/rows/stream-markdown.ts';
import { createScreen } from '../../../../builtins/clients/tui/screen/screen.ts';
import { diceFrom, seed } from '../../../helpers/dice.ts';
import { countWords, longAnswer } from '../../../helpers/long-answer.ts';
import { streamedFrame } from './streamed-frame.ts';

function startSlowTerminal(dice: () => number) {
  const between = (least: number, most: number): number => least + Math.floor(dice() * (most - least + 1));
  const emulator = new xterm.Terminal({ cols: 100, rows: 30, scrollback: 100_000, allowProposedApi: true });
  const core = (emulator as unknown as { _core: { writeSync(text: string): void } })._core;
  const waiting: string[] = ['\u001b[?7l'];
  const answers: { readonly at: number; readonly columns: number }[] = [];
  emulator.onData((text) => {
    const columns = /\u001b\[\d+;(\d+)R/.exec(text)?.[1];
    if (columns !== undefined) answers.push({ at: performance.now() + between(0, 60), columns: Number(columns) });
  });
  return {
    between,
    size: () => ({ columns: emulator.cols, rows: emulator.rows }),
    write: (text: string) => void waiting.push(text.replace(/(?<!\r)\n/g, '\r\n')),
    resize: () => emulator.resize(between(40, 160), between(14, 50)),
    goOn(readiness: number, onWidth: (columns: number) => void) {
      while (waiting.length > 0 && dice() < readiness) core.writeSync(waiting.shift() ?? '');
      for (let next = answers[0]; next && next.at <= performance.now(); next = answers[0]) {
        answers.shift();
        onWidth(next.columns);
      }
    },
    text() {
      const buffer = emulator.buffer.active;
      return Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at))
        .map((line) => `${line?.isWrapped ? '' : '\n'}${line?.translateToString(true) ?? ''}`)
        .join('');
    },
  };
}

test.each(Array.from({ length: 16 }, (_, n) => n))('renders streamed text once and in order on a slow terminal that is resized (%i)', (n) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const pieces = longAnswer(700);
  const dice = diceFrom(seed + n);
  const terminal = startSlowTerminal(dice);
  const stream = createMarkdownStream();
  let said = '';
  let isWhole = false;
  const screen = createScreen({
    terminal: { ...terminal, isReady: () => true, enter: () => undefined, leave: () => undefined, stop: () => undefined },
    hasColor: true,
    doesReflow: true,
    compose: ({ columns }) => streamedFrame(stream, said, isWhole, columns),
  });
  const pass = (ms: number, readiness: number): void => {
    vi.advanceTimersByTime(ms);
    terminal.goOn(readiness, screen.onWidth);
  };
  for (const piece of pieces) {
    said += piece;
    if (dice() < 0.5) screen.request();
    pass(terminal.between(1, 15), 0.6);
    if (dice() < 0.08) {
      terminal.resize();
      screen.request();
    }
  }
  isWhole = true;
  screen.request();
  for (let at = 0; at < 400; at++) pass(40, 1);
  const text = terminal.text();
  expect(countWords(pieces, text)).toEqual({ lost: [], doubled: [] });
  const found = [...text.matchAll(/w\d{4}/g)].map(String);
  expect(found).toEqual([...found].sort());
});
