// Compares paths lexically, without disk access.
import { isAbsolute, relative, sep } from 'node:path';

/** Returns whether `path` is `folder` or inside it. Both are absolute, and real paths if links matter. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Returns the relative path, with slashes on every system; empty for the folder itself. */
export function wayFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
