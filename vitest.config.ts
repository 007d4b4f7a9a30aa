import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Omits the condition `import`: Node would load some packages as CommonJS and as ES modules at the same time.
const resolve = { conditions: ['source', 'node', 'module', 'default'] };
const ssr = { resolve };

// In CI, a failed test is run once more and listed, because it shows a fault in the product or in the test. A soak, which sets a seed, is not retried.
const isSoak = process.env['SEED'] !== undefined;
const retry = process.env['CI'] === undefined || isSoak ? 0 : 1;
/** A soak raises the counts of the tests of all tiers. */
const soakTimeoutMs = 600_000;

/**
 * Defines one tier of tests, whose files are in the folder of that name. Test files of a worker share imported modules (`isolate: false`), because product
 * modules have no global state. The timeout only ends tests that hang.
 */
const tier = (name: string, timeoutMs: number, setup: string) => ({
  resolve,
  ssr,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    globalSetup: [`test/helpers/${setup}.ts`],
    testTimeout: isSoak ? soakTimeoutMs : timeoutMs,
    hookTimeout: isSoak ? soakTimeoutMs : timeoutMs,
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
    // Tests mostly wait for child processes, sockets and clocks, so one worker per core would leave cores idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Tiers that need the complete build come first; that build includes the worker threads that the unit tests need.
      tier('smoke', 120_000, 'build-once'),
      tier('unit', 60_000, 'build-threads'),
      tier('system', 120_000, 'build-once'),
      tier('soak', soakTimeoutMs, 'build-once'),
    ],
  },
});
