import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Without `import`, which Node would then take for CommonJS too: a package with both forms would mix them.
const resolve = { conditions: ['source', 'node', 'module', 'default'] };
const ssr = { resolve };

// In CI a test that fails is run once more, and listed: each of them is a fault of the product or of the test. A soak, which sets a seed, stops at it.
const retry = process.env['CI'] === undefined || process.env['SEED'] !== undefined ? 0 : 1;

/**
 * The tier of a test is its folder. Files of a worker share the modules they import (`isolate: false`): no module of the product keeps state.
 * A time limit only ends a test that would never end.
 */
const tier = (name: string, testTimeout: number, setup: string) => ({
  resolve,
  ssr,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    globalSetup: [`test/helpers/${setup}.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: 20_000 } },
    retry,
    isolate: false,
    chaiConfig: { truncateThreshold: 1_000 },
  },
});

export default defineConfig({
  resolve,
  ssr,
  test: {
    pool: 'forks',
    // Tests wait for children, sockets and clocks much of their time: with one worker per core, cores would be idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // First those that need the whole build: it has the threads that unit tests need.
      tier('smoke', 120_000, 'build-once'),
      tier('unit', 60_000, 'build-threads'),
      tier('system', 120_000, 'build-once'),
      tier('soak', 600_000, 'build-once'),
    ],
  },
});
