// The app starts for the first who wants it to work and stops after the last, whatever carries it.
import { expect, test } from 'vitest';
import { loadTestKernel } from '../helpers/test-kernel.ts';

test('two that hold the app start it once, and it stops when neither does', async () => {
  const seen: string[] = [];
  const { kernel, close } = await loadTestKernel({
    worker: { register: (_, emitter) => ['app.start', 'app.stop'].forEach((hook) => emitter.tap(hook, () => void seen.push(hook))) },
  });
  const [one, two] = await Promise.all([kernel.control.start(), kernel.control.start()]);
  await one.dispose();
  await one.dispose();
  expect(seen).toEqual(['app.start']);
  await two.dispose();
  expect(seen).toEqual(['app.start', 'app.stop']);
  const three = await kernel.control.start();
  expect(await close()).toEqual([]);
  await three.dispose();
  expect(seen).toEqual(['app.start', 'app.stop', 'app.start', 'app.stop']);
});

test('a tap that throws keeps the app from starting, what has begun is stopped, and the next try counts', async () => {
  let isBroken = true;
  const seen: string[] = [];
  const { kernel, close } = await loadTestKernel({
    worker: {
      register(_, emitter) {
        emitter.tap('app.start', () => {
          if (isBroken) throw new Error('home is locked');
        });
        emitter.tap('app.stop', () => void seen.push('stop'));
      },
    },
  });
  await expect(kernel.control.start()).rejects.toThrow('home is locked');
  expect(seen).toEqual(['stop']);
  isBroken = false;
  await (await kernel.control.start()).dispose();
  expect(seen).toEqual(['stop', 'stop']);
  await close();
});
