// Defines the paths of the dream folder and of the marker file of a run in progress, which is checked at startup.
import { join } from 'node:path';

export function openFolder(home: string): string {
  return join(home, 'dreams');
}

export function openMarker(home: string): string {
  return join(openFolder(home), 'open.json');
}
