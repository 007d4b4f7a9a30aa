// Limits the stored versions of all plugins: the least recently used are deleted first, needed ones never.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface CopyBounds {
  readonly bytes: number;
  readonly copies: number;
}

interface Copy {
  readonly place: string;
  readonly name: string;
  readonly content: string;
  /** When it was used last, in milliseconds. */
  readonly at: number;
  readonly bytes: number;
}

const most: CopyBounds = { bytes: 200_000_000, copies: 600 };
/** What nobody finished for so long, nobody will, in milliseconds. */
const leftAfterMs = 60 * 60_000;

/** Contract: never rejects. @param dir of copies, as `<plugin>/<content>` @param isNeeded whether it has to stay @param bounds of all together */
export async function sweepCopies(dir: string, isNeeded: (name: string, content: string) => boolean, bounds = most): Promise<void> {
  const copies: Copy[] = [];
  for (const name of await namesIn(dir)) {
    for (const content of await namesIn(join(dir, name))) {
      const place = join(dir, name, content);
      const at = (await stat(place).catch(() => undefined))?.mtimeMs ?? Infinity;
      if (/^[0-9a-f]{64}$/.test(content)) copies.push({ place, name, content, at, bytes: await bytesOf(place) });
      else if (at < Date.now() - leftAfterMs) await rm(place, { recursive: true, force: true }).catch(() => undefined);
    }
  }
  let [bytes, count] = [copies.reduce((sum, one) => sum + one.bytes, 0), copies.length];
  for (const one of copies.sort((left, right) => left.at - right.at)) {
    if (bytes <= bounds.bytes && count <= bounds.copies) return;
    if (isNeeded(one.name, one.content)) continue;
    await rm(one.place, { recursive: true, force: true }).catch(() => undefined);
    [bytes, count] = [bytes - one.bytes, count - 1];
  }
}

const namesIn = (dir: string): Promise<string[]> => readdir(dir).catch(() => []);

async function bytesOf(place: string): Promise<number> {
  const found = await stat(place).catch(() => undefined);
  if (!found?.isDirectory()) return found?.size ?? 0;
  let sum = 0;
  for (const name of await namesIn(place)) sum += await bytesOf(join(place, name));
  return sum;
}
