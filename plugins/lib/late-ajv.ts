// Loads Ajv at the first check: it would be a sixth of the code that a start compiles, and most starts check nothing for a while.
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv/dist/2020.js';

/** Synchronous, because checks are. Contract: called at the first check, never while a module is loading. */
export function lateAjv(): typeof AjvModule {
  return createRequire(import.meta.url)('ajv/dist/2020.js') as typeof AjvModule;
}
