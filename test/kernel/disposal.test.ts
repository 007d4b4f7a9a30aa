import { expect, test, vi } from 'vitest';
import { loadTestKernel } from '../helpers/test-kernel.ts';

test('plugins unload in reverse order, and each undoes last first, one at a time, signal first', async () => {
  const seen: string[] = [];
  const noisy = (name: string) => ({
    register(registry: any) {
      registry.signal.addEventListener('abort', () => seen.push(`${name} signal`));
      registry.defer(() => void seen.push(`${name} 1`));
      registry.defer(async () => {
        seen.push(`${name} 2 in`);
        await Promise.resolve();
        seen.push(`${name} 2 out`);
      });
      return { dispose: () => void seen.push(`${name} returned`) };
    },
  });
  const { close } = await loadTestKernel({ a: noisy('a'), b: noisy('b') });
  expect(await close()).toEqual([]);
  const of = (name: string) => ['signal', 'returned', '2 in', '2 out', '1'].map((what) => `${name} ${what}`);
  expect(seen).toEqual([...of('b'), ...of('a')]);
});

test('an undo that throws or never ends does not stop the others, and both are told', async () => {
  const seen: string[] = [];
  const { close } = await loadTestKernel({
    a: {
      register(registry) {
        registry.defer(() => void seen.push('reached'));
        registry.defer(() => new Promise(() => undefined), 'endless');
        registry.defer(() => {
          throw new Error('bad undo');
        });
      },
    },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const faults = close();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await faults).toMatchObject([{ message: 'bad undo' }, { code: 'KRN_ERR_DISPOSE_TIMEOUT', message: expect.stringContaining('endless') }]);
    expect(seen).toEqual(['reached']);
  } finally {
    vi.useRealTimers();
  }
});

test('an early dispose runs once and is forgotten', async () => {
  let count = 0;
  let early: any;
  const { kernel, close } = await loadTestKernel({ a: { register: (registry) => void (early = registry.defer(() => void count++, 'timer')) } });
  expect(kernel.trace()).toEqual(['defer:timer@a']);
  early.dispose();
  early.dispose();
  expect(kernel.trace()).toEqual([]);
  await close();
  expect(count).toBe(1);
});

test('a plugin that asks for a limit gets its unload cut there', async () => {
  const { Scope } = await import('../../kernel/scope.ts');
  const scope = new Scope('slow');
  scope.add('never', () => new Promise(() => undefined));
  expect(await scope.close(10)).toMatchObject([{ code: 'KRN_ERR_DISPOSE_TIMEOUT' }]);
});

test('two kernels in one process share nothing, though they load the same modules', async () => {
  const plugin = { manifest: { provides: ['counter'], events: ['tick'] }, register: (registry: any) => void registry.provide('counter', () => ({ n: 0 })) };
  const [one, two] = await Promise.all([loadTestKernel({ plugin }), loadTestKernel({ plugin })]);
  (one.kernel.resolve('counter' as never) as any).n = 7;
  expect(two.kernel.resolve('counter' as never)).toEqual({ n: 0 });
  await one.close();
  expect(two.state('plugin')).toBe('active');
  expect(two.kernel.trace()).toContain('service:counter@plugin');
  await two.close();
});

test('any number of pieces of work may listen for the unload of their plugin', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  try {
    const { close } = await loadTestKernel({
      busy: {
        register(registry: any) {
          for (let count = 0; count < 12; count++) registry.signal.addEventListener('abort', () => undefined);
        },
      },
    });
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
    await close();
  } finally {
    process.off('warning', onWarning);
  }
});
