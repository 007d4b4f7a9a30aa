// Refuses to read or write folders, pipes, devices and sockets.
import type { Stats } from 'node:fs';
import { failure } from '#lib/errors';

export function refuseNonFile(stats: Stats, shown: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw failure(`${shown} is a folder.`, 'Use list_dir to list it.');
  throw failure(`${shown} is ${kindOf(stats)}, not a file, and was not opened.`);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
