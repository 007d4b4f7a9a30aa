// Applies zoom and pan to the canvas that shows the host's screen.
import { clamp, fit, fitScale, pan, reveal, toBox, toPicture, zoomAt, zoomToBlock, type Point, type Rect, type Size, type Viewport } from './viewport.ts';

export interface Camera {
  view(): Viewport;
  toPicture(at: Point): Point | undefined;
  /** Converts a position in the image to pixels of the stage. */
  toStage(at: Point): Point;
  /** Returns the size of the whole image at the current zoom, in pixels of the stage. */
  shownSize(): Size;
  zoom(at: Point, factor: number): void;
  pan(by: Point): void;
  zoomToBlock(at: Point): void;
  /** @param target rectangle as fractions of the image, 0 to 1 */
  reveal(target: Rect): void;
  fit(): void;
  /** Sets the block that a double tap zooms to. */
  setBlock(block: Rect | undefined): void;
  setPicture(size: Size): void;
}

/** @param onShown called after each change */
export function createCamera(stage: HTMLElement, canvas: HTMLCanvasElement, onShown: () => void): Camera {
  let picture: Size = { width: 1280, height: 800 };
  let box: Size = { width: 1, height: 1 };
  let view: Viewport = { scale: 0, x: 0, y: 0 };
  let block: Rect | undefined;

  function show(next: Viewport): void {
    view = next;
    Object.assign(canvas.style, {
      width: `${picture.width}px`,
      height: `${picture.height}px`,
      transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
    });
    onShown();
  }

  /** Adapts the view to a resize; an image that was fully visible stays fully visible. */
  function adapt(nextBox: Size, nextPicture: Size): void {
    const wasWhole = view.scale <= fitScale(box, picture) * 1.01;
    box = nextBox;
    picture = nextPicture;
    show(wasWhole ? fit(box, picture) : clamp(view, box, picture));
  }

  const measure = (): void => {
    const { width, height } = stage.getBoundingClientRect();
    if (width > 0 && height > 0) adapt({ width, height }, picture);
  };
  new ResizeObserver(measure).observe(stage);

  return {
    view: () => view,
    toPicture: (at) => toPicture(view, at, picture),
    toStage: (at) => toBox(view, at, picture),
    shownSize: () => ({ width: picture.width * view.scale, height: picture.height * view.scale }),
    zoom: (at, factor) => show(zoomAt(view, at, factor, box, picture)),
    pan: (by) => show(pan(view, by, box, picture)),
    zoomToBlock: (at) => show(zoomToBlock(view, at, block, box, picture)),
    reveal: (target) => show(reveal(view, target, box, picture)),
    fit: () => show(fit(box, picture)),
    setBlock: (next) => void (block = next),
    setPicture(size) {
      if (size.width !== picture.width || size.height !== picture.height) adapt(box, size);
    },
  };
}
