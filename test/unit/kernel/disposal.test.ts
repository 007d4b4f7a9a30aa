import { expect, test, vi } from 'vitest';
import { loadTestKernel } from '../../helpers/test-kernel.ts';

test('plugins unload in reverse order, signal first, then their disposers sequentially in reverse order', async () => {
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

test('a disposer that throws or exceeds five seconds does not block the others, and both are reported', async () => {
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
    expect(await faults).toMatchObject([{ message: 'bad undo' }, { code: 'KRN_ERR_DISPOSE_TIMEOUT', details: { plugin: 'a', label: 'defer:endless' } }]);
    expect(seen).toEqual(['reached']);
  } finally {
    vi.useRealTimers();
  }
});

test('an early dispose runs once and is removed from the trace', async () => {
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

test('a child scope is disposed as a unit in reverse order and then rejects registrations', async () => {
  const seen: string[] = [];
  let registry: any;
  const { kernel, report } = await loadTestKernel({
    owner: {
      register: (own) => void own.point('thing', { added: () => undefined, removed: ({ name }: { name: string }) => void seen.push(`without ${name}`) }),
    },
    servers: { register: (own) => void (registry = own) },
  });
  const open = (name: string): any => {
    const part = registry.child(name);
    part.add('thing', { name });
    part.child('inner').defer(() => void seen.push(`inner of ${name}`), `inner of ${name}`);
    part.signal.addEventListener('abort', () => void seen.push(`end of ${name}`));
    return part;
  };
  expect(report.plugins.find(({ name }) => name === 'servers')?.adds).toEqual([]);
  const [one] = [open('one'), open('two')];
  expect(kernel.control.report().plugins.find(({ name }) => name === 'servers')?.adds).toEqual([
    'thing:one',
    'defer:inner of one',
    'thing:two',
    'defer:inner of two',
  ]);
  await one.dispose();
  await one.dispose();
  expect(seen.splice(0)).toEqual(['end of one', 'inner of one', 'without one']);
  expect(kernel.trace().filter((label) => label.startsWith('thing:'))).toEqual(['thing:two@servers']);
  expect(() => one.add('thing', { name: 'late' })).toThrow(expect.objectContaining({ code: 'KRN_ERR_SCOPE_CLOSED' }));
  expect(() => one.defer(() => undefined)).toThrow("after its part 'one' ended");
  const bad = registry.child('bad');
  bad.defer(() => Promise.reject(new Error('stuck')));
  bad.defer(() => void seen.push('the other'));
  await expect(bad.dispose()).rejects.toThrow('stuck');
  expect(seen.splice(0)).toEqual(['the other']);
  await kernel.control.setDisabled(['servers']);
  expect(seen).toEqual(['end of two', 'inner of two', 'without two']);
  expect(() => registry.child('late')).toThrow(expect.objectContaining({ code: 'KRN_ERR_SCOPE_CLOSED' }));
});

test('two kernels in one process share no state, although they load the same modules', async () => {
  const plugin = { manifest: { provides: ['counter'], events: ['tick'] }, register: (registry: any) => void registry.provide('counter', () => ({ n: 0 })) };
  const [one, two] = await Promise.all([loadTestKernel({ plugin }), loadTestKernel({ plugin })]);
  (one.kernel.resolve('counter' as never) as any).n = 7;
  expect(two.kernel.resolve('counter' as never)).toEqual({ n: 0 });
  await one.close();
  expect(two.state('plugin')).toBe('active');
  expect(two.kernel.trace()).toContain('service:counter@plugin');
  await two.close();
});

test('many abort listeners on a plugin signal cause no warning', async () => {
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
