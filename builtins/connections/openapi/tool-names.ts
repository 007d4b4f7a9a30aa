// Defines the names of the two tools of a large connection.
import { snakeCase } from './operation-names.ts';

export function finderName(connection: string): string {
  return `${snakeCase(connection)}_find_operations`;
}

export function callerName(connection: string): string {
  return `${snakeCase(connection)}_call_operation`;
}
