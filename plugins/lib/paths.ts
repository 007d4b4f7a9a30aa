// Where one path lies to another: words only, nothing is looked up on the disk.
import { isAbsolute, relative, sep } from 'node:path';

/** Whether `path` is `folder` or lies below it. Both absolute, and real where links count. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** From a folder to a path, with slashes on every system; empty for the folder itself. */
export function wayFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
