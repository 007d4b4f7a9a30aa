// Reads the setting of any plugin by its environment variable.
import type { CliParts } from './cli-parts.ts';

/** Returns the value; empty if the setting is undeclared, unset without a default, or a secret. */
export function configText({ services }: CliParts, key: string): string {
  const value = services.kernel.fields().find((field) => field.key === key)?.value;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
