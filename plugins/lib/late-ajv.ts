// Loads Ajv on the first schema check, which usually comes after startup. Ajv would otherwise be a sixth of the code that is compiled at startup.
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv/dist/2020.js';

/** Returns Ajv. Synchronous, because checks are synchronous. Contract: called with the first check, never while a module is loading. */
export function lateAjv(): typeof AjvModule {
  return createRequire(import.meta.url)('ajv/dist/2020.js') as typeof AjvModule;
}
