import { expect, test } from 'vitest';
import { loadTestKernel } from '../../helpers/test-kernel.ts';

test('a service is created once, at first use, and disposed when its plugin unloads', async () => {
  const seen: string[] = [];
  const { kernel, close } = await loadTestKernel({
    maker: {
      manifest: { provides: ['clock'] },
      register: (registry) => void registry.provide('clock', () => (seen.push('made'), { now: 1 }), { dispose: () => void seen.push('disposed') }),
    },
    user: { manifest: { requires: ['clock'] }, register: (registry) => void expect(registry.services.clock).toBe(registry.services.clock) },
  });
  expect(seen).toEqual(['made']);
  expect(kernel.resolve('clock' as never)).toEqual({ now: 1 });
  await close();
  expect(seen).toEqual(['made', 'disposed']);
});

test('an unused service is never created', async () => {
  const { close } = await loadTestKernel({
    maker: {
      manifest: { provides: ['clock'] },
      register: (registry) =>
        void registry.provide(
          'clock',
          () => {
            throw new Error('made');
          },
          {
            dispose: () => {
              throw new Error('disposed');
            },
          },
        ),
    },
  });
  expect(await close()).toEqual([]);
});

test('two providers of a service: the later one fails and its reason names both', async () => {
  const provider = { manifest: { provides: ['clock'] }, register: (registry: any) => void registry.provide('clock', () => 1) };
  const { state, reason } = await loadTestKernel({ 'clock-a': provider, 'clock-b': provider });
  expect(state('clock-a')).toBe('active');
  expect(reason('clock-b')).toBe("Service 'clock' is provided by both 'clock-a' and 'clock-b'; disable one of them.");
});

test('providing a service that the manifest does not list fails', async () => {
  const { reason } = await loadTestKernel({ one: { register: (registry) => registry.provide('clock', () => 1) } });
  expect(reason('one')).toContain("may not provide 'clock'");
});

test('optional consumers receive a service that appears later and lose one that is removed', async () => {
  const seen: unknown[] = [];
  const { kernel } = await loadTestKernel(
    {
      maker: { manifest: { provides: ['clock'] }, register: (registry) => void registry.provide('clock', () => 'tick') },
      user: { manifest: { optional: ['clock'] }, register: (registry) => void seen.push(registry.services.clock) },
    },
    { disabled: ['maker'] },
  );
  await kernel.control.setDisabled([]);
  await kernel.control.setDisabled(['maker']);
  expect(seen).toEqual([undefined, 'tick', undefined]);
  expect(() => kernel.resolve('clock' as never)).toThrow(expect.objectContaining({ code: 'KRN_ERR_SERVICE_GONE' }));
  expect(() => kernel.resolve('nothing' as never)).toThrow(expect.objectContaining({ code: 'KRN_ERR_SERVICE_MISSING' }));
});

test('an error from a table has a code, message, status and details, and an unlisted reason is reported', async () => {
  let make: any;
  await loadTestKernel({
    'my-voice': {
      manifest: { errors: { NO_DEVICE: { message: "No device '{device}'.", status: 409 } } },
      register: (registry) => void (make = registry.error),
    },
  });
  expect(make('NO_DEVICE', { device: 'mic' })).toMatchObject({
    code: 'MY_VOICE_ERR_NO_DEVICE',
    message: "No device 'mic'.",
    status: 409,
    plugin: 'my-voice',
    details: { device: 'mic' },
  });
  expect(make('OTHER')).toMatchObject({ code: 'KRN_ERR_ERROR_UNLISTED' });
});
