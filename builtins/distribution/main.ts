#!/usr/bin/env node
// Starts the stock program. Imports other modules only after the compile cache is enabled.
import { keepCompiledCode } from './compile-cache.ts';
import { stock } from './stock.ts';

// A separate program caches its code in its own home folder.
if (!Object.hasOwn(stock.programs ?? {}, process.argv[2] ?? '')) keepCompiledCode(stock);
const { runDistribution } = await import('./run.ts');
process.exitCode = await runDistribution(stock);
// Exits although a plugin may have left a timer or socket open, which would keep the process alive.
setTimeout(() => {
  process.stderr.write('Something that a plugin left running ends with the program.\n');
  process.exit();
}, 2_000).unref();
