#!/usr/bin/env node
// The stock program. It imports the rest only when the store of compiled code is open.
import { homeOf, keepCompiledCode } from './compile-cache.ts';
import { stock } from './stock.ts';

keepCompiledCode(homeOf(stock.name, process.env));
const { runDistribution } = await import('./run.ts');
process.exitCode = await runDistribution(stock);
