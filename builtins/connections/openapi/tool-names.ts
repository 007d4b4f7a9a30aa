// Defines the names of the two tools that a large connection has.
import { snakeCase } from './operation-names.ts';

export function finderName(connection: string): string {
  return `${snakeCase(connection)}_find_operations`;
}

export function callerName(connection: string): string {
  return `${snakeCase(connection)}_call_operation`;
}
