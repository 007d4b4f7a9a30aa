#!/usr/bin/env node
// The entry point of the stock program. Imports the rest only after the compile cache is enabled.
import { keepCompiledCode } from './compile-cache.ts';
import { stock } from './stock.ts';

// A separate program caches its code in its own home folder.
if (!Object.hasOwn(stock.programs ?? {}, process.argv[2] ?? '')) keepCompiledCode(stock);
const { runDistribution } = await import('./run.ts');
process.exitCode = await runDistribution(stock);
// All our work has ended by now. A timer or socket left by a plugin in this process would keep the program running forever.
setTimeout(() => {
  process.stderr.write('Something that a plugin left running ends with the program.\n');
  process.exit();
}, 2_000).unref();
