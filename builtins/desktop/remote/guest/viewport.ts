// Calculates zoom and pan of the image within its box. Pure.

export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}
export type Rect = Point & Size;

/** Position of the image's top left corner in the box, and size of one CSS pixel of the host in pixels of the box. */
export interface Viewport extends Point {
  readonly scale: number;
}

/** Maximum size of a host's CSS pixel in guest pixels, unless a larger one is needed to fill the box. */
const largestScale = 4;
/** Margin around a zoom target, in pixels of the box. */
const margin = 12;

/** Returns the scale at which the whole image fits into the box. */
export function fitScale(box: Size, picture: Size): number {
  return Math.min(box.width / picture.width, box.height / picture.height);
}

export function fit(box: Size, picture: Size): Viewport {
  return clamp({ scale: fitScale(box, picture), x: 0, y: 0 }, box, picture);
}

/** Limits zoom and position: never smaller than the whole image, and without empty margins. Centres an image that is smaller than the box. */
export function clamp({ scale, x, y }: Viewport, box: Size, picture: Size): Viewport {
  const smallest = fitScale(box, picture);
  const kept = Math.min(Math.max(scale, smallest), Math.max(largestScale, smallest));
  return { scale: kept, x: place(x, picture.width * kept, box.width), y: place(y, picture.height * kept, box.height) };
}

function place(at: number, length: number, room: number): number {
  return length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at));
}

/** Zooms the view; the point `at` keeps its position. */
export function zoomAt(view: Viewport, at: Point, factor: number, box: Size, picture: Size): Viewport {
  const { scale } = clamp({ ...view, scale: view.scale * factor }, box, picture);
  const ratio = scale / view.scale;
  return clamp({ scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, box, picture);
}

export function pan(view: Viewport, by: Point, box: Size, picture: Size): Viewport {
  return clamp({ ...view, x: view.x + by.x, y: view.y + by.y }, box, picture);
}

/** Returns the position as fractions of the image, 0 to 1; `undefined` outside it. */
export function toPicture(view: Viewport, at: Point, picture: Size): Point | undefined {
  const x = (at.x - view.x) / (picture.width * view.scale);
  const y = (at.y - view.y) / (picture.height * view.scale);
  return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : undefined;
}

/** Converts fractions of the image to pixels of the box. */
export function toBox(view: Viewport, at: Point, picture: Size): Point {
  return { x: view.x + at.x * picture.width * view.scale, y: view.y + at.y * picture.height * view.scale };
}

/**
 * Zooms out a zoomed view; otherwise zooms to the block under the finger, or to a size at which text is readable. @param block as fractions of the image, 0 to
 * 1
 */
export function zoomToBlock(view: Viewport, at: Point, block: Rect | undefined, box: Size, picture: Size): Viewport {
  const smallest = fitScale(box, picture);
  if (view.scale > smallest * 1.05) return fit(box, picture);
  const place = toPicture(view, at, picture);
  const isInside = block && place && contains(block, place);
  if (!isInside) return zoomAt(view, at, Math.max(1, smallest * 2) / view.scale, box, picture);
  const scale = Math.min((box.width - 2 * margin) / (block.width * picture.width), Math.max(2, smallest * 2));
  const middle = toBox({ x: 0, y: 0, scale }, { x: block.x + block.width / 2, y: block.y + block.height / 2 }, picture);
  return clamp({ scale, x: box.width / 2 - middle.x, y: box.height / 2 - middle.y }, box, picture);
}

/** Moves the view as little as necessary to show the target, or its beginning if it is too large. @param target as fractions of the image, 0 to 1 */
export function reveal(view: Viewport, target: Rect, box: Size, picture: Size): Viewport {
  const from = toBox(view, target, picture);
  const width = target.width * picture.width * view.scale;
  const height = target.height * picture.height * view.scale;
  return pan(view, { x: shift(from.x, width, box.width), y: shift(from.y, height, box.height) }, box, picture);
}

function shift(at: number, length: number, room: number): number {
  if (at < margin || length > room - 2 * margin) return margin - at;
  return at + length > room - margin ? room - margin - at - length : 0;
}

function contains({ x, y, width, height }: Rect, at: Point): boolean {
  return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
}
