// Plans the size and quality of a sharp image for one guest, based on its screen resolution and bandwidth.
import type { Frame } from './viewer.ts';

/** The area for the image on the guest's device. */
export interface View {
  /** Size in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly dpr: number;
}

export interface StillPlan {
  /** Scale relative to the size of the page. */
  readonly scale: number;
  readonly quality: number;
  readonly isWorthIt: boolean;
}

const quality = 85;
const longestMs = 1_500;
const maxScale = 3;
const maxPixels = 9_000_000;
/** Cost of sharp text per pixel, relative to moving content. */
const dearer = 1.3;

export function stillPlan({ page, image, jpeg }: Pick<Frame, 'page' | 'image' | 'jpeg'>, view: View, bytesPerMs: number | undefined): StillPlan {
  const fitting = Math.min(view.width / page.width, view.height / page.height) * view.dpr;
  const own = image.width / page.width;
  const limit = Math.min(maxScale, Math.sqrt(maxPixels / (page.width * page.height)));
  // A guest that has zoomed in needs more detail, so the image is at least as large as the page.
  const wanted = Math.min(Math.max(fitting, 1), limit);
  const perPixel = (jpeg.length * dearer) / (image.width * image.height);
  const affordable = bytesPerMs === undefined ? limit : Math.sqrt((bytesPerMs * longestMs) / (perPixel * page.width * page.height));
  const scale = Math.min(wanted, affordable);
  return { scale, quality, isWorthIt: scale >= own };
}
