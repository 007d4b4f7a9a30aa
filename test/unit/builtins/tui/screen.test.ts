import xterm from '@xterm/headless';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMarkdownStream } from '../../../../builtins/clients/tui/rows/stream-markdown.ts';
import { createScreen } from '../../../../builtins/clients/tui/screen/screen.ts';
import { rowOf } from '../../../../builtins/clients/tui/screen/spans.ts';
import type { Terminal } from '../../../../builtins/clients/tui/screen/terminal.ts';
import { diceFrom, seed } from '../../../helpers/dice.ts';
import { countWords, longAnswer } from '../../../helpers/long-answer.ts';
import { streamedFrame } from './streamed-frame.ts';

function emulate(columns: number, rows: number) {
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
  let written = '';
  const core = (emulator as unknown as { _core: { writeSync(text: string): void } })._core;
  const terminal: Terminal = {
    size: () => ({ columns: emulator.cols, rows: emulator.rows }),
    write(text) {
      written += text;
      core.writeSync(text.replace(/(?<!\r)\n/g, '\r\n'));
    },
    isReady: () => true,
    enter: () => undefined,
    leave: () => undefined,
    stop: () => undefined,
  };
  return {
    emulator,
    terminal,
    written: () => written,
    text() {
      const buffer = emulator.buffer.active;
      const lines: string[] = [];
      for (let at = 0; at < buffer.length; at++) {
        const line = buffer.getLine(at);
        if (line?.isWrapped && lines.length > 0) lines[lines.length - 1] += line.translateToString(true);
        else lines.push(line?.translateToString(true) ?? '');
      }
      return lines.join('\n');
    },
  };
}

test.each([1, 2, 3, 4, 5])('renders streamed text exactly once while the terminal is resized (%i)', (n) => {
  const pieces = longAnswer(1_500);
  const dice = diceFrom(seed + n);
  const between = (least: number, most: number): number => least + Math.floor(dice() * (most - least + 1));
  const { emulator, terminal, text, written } = emulate(100, 30);
  const stream = createMarkdownStream();
  let said = '';
  let isWhole = false;
  const screen = createScreen({ terminal, hasColor: true, doesReflow: true, compose: ({ columns }) => streamedFrame(stream, said, isWhole, columns) });
  for (const piece of pieces) {
    said += piece;
    if (dice() < 0.3) screen.draw();
    if (dice() < 0.1) emulator.resize(between(40, 160), between(14, 50));
  }
  isWhole = true;
  screen.draw();
  expect(countWords(pieces, text())).toEqual({ lost: [], doubled: [] });
  expect(written()).not.toMatch(/\u001b\[[23]J/);
});

test('assigns a late width reply to its own frame and detects a changed width with the next one', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { emulator, terminal, text } = emulate(100, 30);
  const commits = [['first row'], ['second row'], ['third row']];
  let size = { columns: 100, rows: 30 };
  const live = ['live one', 'live two'].map((row) => rowOf(row.padEnd(90, '.')));
  const screen = createScreen({
    terminal: { ...terminal, size: () => size },
    hasColor: false,
    doesReflow: true,
    compose: () => ({ commits: (commits.shift() ?? []).map((row) => rowOf(row)), rows: [...live, rowOf('> ')], caret: { row: 2, column: 2 } }),
  });
  screen.draw();
  vi.advanceTimersByTime(500);
  emulator.resize(60, 30);
  screen.draw();
  screen.onWidth(100);
  screen.onWidth(60);
  size = { columns: 60, rows: 30 };
  screen.request();
  vi.advanceTimersByTime(100);
  screen.onWidth(60);
  expect(text().match(/(first|second|third) row|live (one|two)/g)).toEqual(['first row', 'second row', 'third row', 'live one', 'live two']);
});

test('waits for the width reply of a busy terminal before drawing the next frame', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { terminal, written } = emulate(100, 30);
  let said = 'one';
  const screen = createScreen({
    terminal,
    hasColor: false,
    doesReflow: true,
    compose: () => ({ commits: [], rows: [rowOf(said)], caret: { row: 0, column: 0 } }),
  });
  screen.draw();
  screen.onWidth(100);
  said = 'two';
  screen.draw();
  said = 'last';
  screen.request(true);
  vi.advanceTimersByTime(5_000);
  expect(written()).not.toContain('last');
  screen.onWidth(100);
  expect(written()).toContain('last');
});
