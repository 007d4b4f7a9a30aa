#!/usr/bin/env node
// The stock program. It imports the rest only when the store of compiled code is open.
import { keepCompiledCode } from './compile-cache.ts';
import { stock } from './stock.ts';

// A program of its own keeps its code in its own home.
if (!Object.hasOwn(stock.programs ?? {}, process.argv[2] ?? '')) keepCompiledCode(stock);
const { runDistribution } = await import('./run.ts');
process.exitCode = await runDistribution(stock);
// All that is ours has ended by now. A timer or socket that a plugin in this process left behind would keep the program for ever.
setTimeout(() => {
  process.stderr.write('Something that a plugin left running ends with the program.\n');
  process.exit();
}, 2_000).unref();
