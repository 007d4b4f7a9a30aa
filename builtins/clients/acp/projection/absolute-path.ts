// Paths as editors want them.
import { isAbsolute, join } from 'node:path';

/** @param root of the workspace, absolute */
export function absolutePath(path: string, root: string): string {
  return isAbsolute(path) ? path : join(root, path);
}
