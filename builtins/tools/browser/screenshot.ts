// Takes a screenshot that is small enough for a model.
import type { Locator, Page } from 'playwright-core';

export interface Shot {
  /** The whole screenshot as PNG. */
  readonly png: Uint8Array;
  /** Image for the model: the PNG, or a JPEG if the PNG is too large; omitted if both are too large. */
  readonly shown?: { readonly mimeType: string; readonly base64: string };
}

const shotMs = 5_000;
/** Maximum size of the image for the model in bytes; models accept up to 4 MB. */
const shownLimit = 2_500_000;

export async function takeScreenshot(place: Page | Locator): Promise<Shot> {
  const options = { timeout: shotMs, animations: 'disabled', caret: 'hide', scale: 'css' } as const;
  const png = await place.screenshot(options);
  if (png.length <= shownLimit) return { png, shown: { mimeType: 'image/png', base64: png.toString('base64') } };
  const jpeg = await place.screenshot({ ...options, type: 'jpeg', quality: 60 });
  return jpeg.length <= shownLimit ? { png, shown: { mimeType: 'image/jpeg', base64: jpeg.toString('base64') } } : { png };
}
