// Calculates the movement of the pointer in trackpad mode: precise for slow finger movements, accelerated for fast ones. Pure.
import type { Point } from './viewport.ts';

/** Speed in pixels per millisecond up to which the pointer moves as far as the finger. */
const slowest = 0.25;
const steepness = 1.6;
const furthest = 3;

/** Returns the acceleration relative to the finger. @param speed in pixels per millisecond */
export function gainOf(speed: number): number {
  return Math.min(furthest, 1 + Math.max(0, speed - slowest) * steepness);
}

/**
 * Returns the new position of the pointer as fractions of the image, 0 to 1.
 * @param by movement of the finger, in screen pixels
 * @param shown size of the image on the screen, in pixels
 */
export function movePointer(from: Point, by: Point, elapsedMs: number, shown: { readonly width: number; readonly height: number }): Point {
  const gain = gainOf(Math.hypot(by.x, by.y) / Math.max(1, elapsedMs));
  return { x: inside(from.x + (by.x * gain) / shown.width), y: inside(from.y + (by.y * gain) / shown.height) };
}

const inside = (part: number): number => Math.min(1, Math.max(0, part));
