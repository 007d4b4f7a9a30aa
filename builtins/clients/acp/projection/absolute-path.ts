// Converts paths to the absolute form that editors require.
import { isAbsolute, join } from 'node:path';

/** @param root absolute path of the workspace */
export function absolutePath(path: string, root: string): string {
  return isAbsolute(path) ? path : join(root, path);
}
