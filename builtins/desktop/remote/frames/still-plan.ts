// Plans the size and quality of a sharp picture for one guest: its screen's pixels, as far as its bandwidth allows.
import type { Frame } from './viewer.ts';

/** The guest's space for the picture. */
export interface View {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly dpr: number;
}

export interface StillPlan {
  /** Relative to the size of the page. */
  readonly scale: number;
  readonly quality: number;
  readonly isWorthIt: boolean;
}

const quality = 85;
const longestMs = 1_500;
const maxScale = 3;
const maxPixels = 9_000_000;
/** Sharp text takes that much more per pixel than moving content. */
const dearer = 1.3;

export function stillPlan({ page, image, jpeg }: Pick<Frame, 'page' | 'image' | 'jpeg'>, view: View, bytesPerMs: number | undefined): StillPlan {
  const fitting = Math.min(view.width / page.width, view.height / page.height) * view.dpr;
  const own = image.width / page.width;
  const limit = Math.min(maxScale, Math.sqrt(maxPixels / (page.width * page.height)));
  // Zooming in shows more than fits, so what is smaller than the page is sent in the size of the page.
  const wanted = Math.min(Math.max(fitting, 1), limit);
  const perPixel = (jpeg.length * dearer) / (image.width * image.height);
  const affordable = bytesPerMs === undefined ? limit : Math.sqrt((bytesPerMs * longestMs) / (perPixel * page.width * page.height));
  const scale = Math.min(wanted, affordable);
  return { scale, quality, isWorthIt: scale >= own };
}
