// Loads Ajv at the first check: it is a sixth of the code that a start would otherwise compile, and most starts check nothing for a while.
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv/dist/2020.js';

/** Synchronous, as checks do not wait. Contract: called when the first check is made, never while a module is loading. */
export function lateAjv(): typeof AjvModule {
  return createRequire(import.meta.url)('ajv/dist/2020.js') as typeof AjvModule;
}
