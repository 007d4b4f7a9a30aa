// Tests that idle work ends with the server, before its services are disposed.
import { expect, test } from 'vitest';
import { startHarness } from '../../../helpers/harness.ts';

test('stopping a server during its warm-up ends the warm-up without missing-service errors', { timeout: 60_000 }, async () => {
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  let calls = 0;
  const harness = await startHarness({
    modules: {
      'first-idle': {
        register(_registry, emitter) {
          const wait = ({ signal }: { readonly signal: AbortSignal }): Promise<void> => {
            begun();
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
          };
          emitter.tap('server.idle', wait, { order: 'pre' });
        },
      },
      'late-idle': {
        manifest: { name: 'late-idle', requires: ['storage'] } as never,
        register: (_registry, emitter) => void emitter.tap('server.idle', () => void calls++, { order: 'post' }),
      },
    },
  });
  await hasBegun;
  await harness.kernel.resolve('http').close();
  await harness.close();
  expect(calls).toBe(1);
  expect(harness.logs.filter((line) => /server\.idle|is gone|warming up/.test(line))).toEqual([]);
});
