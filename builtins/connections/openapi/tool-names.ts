// Names the two tools of a large connection: one finds operations, the other calls them.
import { snakeCase } from './operation-names.ts';

export function finderName(connection: string): string {
  return `${snakeCase(connection)}_find_operations`;
}

export function callerName(connection: string): string {
  return `${snakeCase(connection)}_call_operation`;
}
