#!/usr/bin/env node
// Starts the stock program. Other modules are imported only after the compile cache has been enabled.
import { keepCompiledCode } from './compile-cache.ts';
import { stock } from './stock.ts';

// A subcommand that is a separate program caches its code in its own home folder.
if (!Object.hasOwn(stock.programs ?? {}, process.argv[2] ?? '')) keepCompiledCode(stock);
const { runDistribution } = await import('./run.ts');
process.exitCode = await runDistribution(stock);
// Forces the exit, because a timer or socket that a plugin left open would keep the process alive.
setTimeout(() => {
  process.stderr.write('A plugin left a timer or connection open; it is closed now.\n');
  process.exit();
}, 2_000).unref();
