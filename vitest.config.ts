import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Without `import`, which node would then take for CommonJS too: a package with both forms would mix them.
const resolve = { conditions: ['source', 'node', 'module', 'default'] };
const ssr = { resolve };
// Where nobody watches, a test that fails is run once more; those that needed it are listed at the end, for each of them is a fault of test or code.
const retry = process.env['CI'] === undefined ? 0 : 1;
// Tests of what was built get it built first; the others run from the sources, with the code of threads built.
// Files of a worker share the modules they import, since no module of ours keeps state: a file that leaves something behind is wrong.
// How long a test may take says nothing about what it tests: only one that would never end is ended.
const project = (name: string, include: string[], testTimeout: number, globalSetup: string[] = []) => ({
  resolve,
  ssr,
  test: { name, include, testTimeout, hookTimeout: testTimeout, expect: { poll: { timeout: 20_000 } }, globalSetup, retry, isolate: false },
});

export default defineConfig({
  resolve,
  ssr,
  test: {
    pool: 'forks',
    // Tests wait for children, sockets and clocks much of their time: with one worker for each core, cores would wait too.
    maxWorkers: availableParallelism() + 1,
    projects: [
      project('kernel', ['test/unit/kernel/**/*.test.ts', 'test/types/**/*.test.ts'], 30_000),
      project('architecture', ['test/unit/architecture/**/*.test.ts'], 120_000, ['test/helpers/build-once.ts']),
      project('plugins', ['test/unit/plugins/**/*.test.ts', 'test/unit/builtins/**/*.test.ts', 'test/unit/examples/**/*.test.ts'], 60_000, [
        'test/helpers/build-threads.ts',
      ]),
      project('e2e', ['test/system/e2e/**/*.test.ts'], 120_000, ['test/helpers/build-once.ts']),
      project('browser', ['test/system/browser/**/*.test.ts'], 120_000, ['test/helpers/build-once.ts']),
    ],
  },
});
