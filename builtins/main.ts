#!/usr/bin/env node
// The stock program.
import { runDistribution } from './distribution.ts';
import { stock } from './stock.ts';

process.exitCode = await runDistribution(stock);
