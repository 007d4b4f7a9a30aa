// Defines the path of the marker file of a run in progress, which each start checks.
import { join } from 'node:path';

export function openFolder(home: string): string {
  return join(home, 'dreams');
}

export function openMark(home: string): string {
  return join(openFolder(home), 'open.json');
}
