// Restores the position of the window. The browser saves the position in its profile but fails to restore it, because it treats the dots in the page's address
// as path separators.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, recordIn } from '#lib/values';

const firstSize = '1240,860';
/** Minimum size, in pixels, of a window that the user can still move. */
const least = 200;

interface Placement {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly maximized: boolean;
}

/** Returns the flags that restore the window's position; a medium size if no position is stored. */
export async function placementFlags(profile: string): Promise<string[]> {
  const preferences = recordIn(await readFile(join(profile, 'Default', 'Preferences'), 'utf8').catch(() => ''));
  const browser = preferences['browser'];
  const found = isRecord(browser) ? findPlacement(browser['app_window_placement']) : undefined;
  if (!found) return [`--window-size=${firstSize}`];
  const { left, top, right, bottom } = found;
  return [
    `--window-size=${Math.max(least, right - left)},${Math.max(least, bottom - top)}`,
    `--window-position=${left},${top}`,
    ...(found.maximized ? ['--start-maximized'] : []),
  ];
}

/** Returns the only stored position, because this profile shows only one page. */
function findPlacement(value: unknown, depth = 0): Placement | undefined {
  if (!isRecord(value) || depth > 8) return undefined;
  const { left, top, right, bottom, maximized } = value;
  if ([left, top, right, bottom].every(Number.isInteger)) return { ...(value as unknown as Placement), maximized: maximized === true };
  for (const inner of Object.values(value)) {
    const found = findPlacement(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}
