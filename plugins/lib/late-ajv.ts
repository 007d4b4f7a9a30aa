// Loads Ajv with the first schema check. Ajv would be a sixth of the code that is compiled at startup, and the first check usually comes later.
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv/dist/2020.js';

/** Returns Ajv. Synchronous, because checks are synchronous. Contract: called with the first check, never while a module is loading. */
export function lateAjv(): typeof AjvModule {
  return createRequire(import.meta.url)('ajv/dist/2020.js') as typeof AjvModule;
}
