// The names of the two tools through which a large connection is used.
import { snakeCase } from './operation-names.ts';

export function finderName(connection: string): string {
  return `${snakeCase(connection)}_find_operations`;
}

export function callerName(connection: string): string {
  return `${snakeCase(connection)}_call_operation`;
}
