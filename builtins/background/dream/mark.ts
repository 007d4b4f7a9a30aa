// The path of the marker of a run in progress, checked at each start.
import { join } from 'node:path';

export function openFolder(home: string): string {
  return join(home, 'dreams');
}

export function openMark(home: string): string {
  return join(openFolder(home), 'open.json');
}
