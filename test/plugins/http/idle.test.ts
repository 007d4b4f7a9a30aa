// What is done once nobody is being served ends with the server, before what it works with is gone.
import { expect, test } from 'vitest';
import { startHarness } from '../../helpers/harness.ts';

test('a server that stops while it warms up begins nothing more, and nobody misses a service', { timeout: 60_000 }, async () => {
  let begun = (): void => undefined;
  let release = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const mayEnd = new Promise<void>((resolve) => (release = resolve));
  let calls = 0;
  const harness = await startHarness({
    modules: {
      'first-idle': {
        register: (_registry, emitter) =>
          void emitter.tap(
            'server.idle',
            () => {
              begun();
              return mayEnd;
            },
            { order: 'pre' },
          ),
      },
      'late-idle': {
        manifest: { name: 'late-idle', requires: ['storage'] } as never,
        register: (_registry, emitter) => void emitter.tap('server.idle', () => void calls++, { order: 'post' }),
      },
    },
  });
  await hasBegun;
  const closed = harness.close();
  release();
  await closed;
  expect(calls).toBe(0);
  expect(harness.logs.filter((line) => /server\.idle|is gone|warming up/.test(line))).toEqual([]);
});
