// Calculates the pointer of the trackpad mode: a finger anywhere moves it, slowly with precision and quickly over long distances. Pure.
import type { Point } from './viewport.ts';

/** Up to this many pixels per millisecond the pointer moves as far as the finger. */
const slowest = 0.25;
const steepness = 1.6;
const furthest = 3;

/** Acceleration relative to the finger. @param speed in pixels per millisecond */
export function gainOf(speed: number): number {
  return Math.min(furthest, 1 + Math.max(0, speed - slowest) * steepness);
}

/**
 * Returns the pointer's new position, in 0 to 1 of the picture.
 * @param by of the finger, in pixels of the screen
 * @param shown of the picture on the screen, in pixels
 */
export function movePointer(from: Point, by: Point, elapsedMs: number, shown: { readonly width: number; readonly height: number }): Point {
  const gain = gainOf(Math.hypot(by.x, by.y) / Math.max(1, elapsedMs));
  return { x: inside(from.x + (by.x * gain) / shown.width), y: inside(from.y + (by.y * gain) / shown.height) };
}

const inside = (part: number): number => Math.min(1, Math.max(0, part));
