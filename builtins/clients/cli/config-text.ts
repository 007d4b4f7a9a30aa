// A setting by its variable, whichever plugin declares it.
import type { CliParts } from './cli-parts.ts';

/** Empty where nobody declares it, where it is unset without a default, and for secrets. */
export function configText({ services }: CliParts, key: string): string {
  const value = services.kernel.fields().find((field) => field.key === key)?.value;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
