// Where it stands that a run is being done: looked for at each start.
import { join } from 'node:path';

export function openFolder(home: string): string {
  return join(home, 'dreams');
}

export function openMark(home: string): string {
  return join(openFolder(home), 'open.json');
}
