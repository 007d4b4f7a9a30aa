import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openTerminal } from '../../../../builtins/clients/tui/screen/terminal.ts';

test('leaves a terminal that was closed', () => {
  const setRawMode = (isRaw: boolean): PassThrough => {
    if (!isRaw) throw Object.assign(new Error('setRawMode EIO'), { code: 'EIO' });
    return input;
  };
  const input = Object.assign(new PassThrough(), { setRawMode });
  const output = Object.assign(new PassThrough(), { getWindowSize: () => [80, 24] });
  const terminal = openTerminal(input as never, output as never);
  const ignore = (): void => undefined;
  terminal.enter({ onInput: ignore, onResize: ignore, onReady: ignore, onContinue: ignore, onGone: ignore });
  terminal.leave();
  expect([input.isPaused(), input.listenerCount('data')]).toEqual([true, 0]);
});
