// Reads the title and a small image of a page through the debugging protocol, without running scripts in the page.
import type { CDPSession, Page } from 'playwright-core';
import { within } from './deadline.ts';

/** Maximum size of an image in pixels; the browser scales down a larger viewport. */
const pictureSize = { maxWidth: 800, maxHeight: 1_600 };
const quality = 50;
const titleMs = 500;
const pictureMs = 1_500;

/** Returns the title, even of a busy page. Rejects if the page is closed or does not respond in time. */
export function readTitle(page: Page): Promise<string> {
  return withSession(page, titleMs, async (session) => {
    const { targetInfo } = await session.send('Target.getTargetInfo');
    return targetInfo.title;
  });
}

/**
 * Returns a JPEG of the viewport: the first frame of a screencast, which is the last drawn frame. Unlike a screenshot, it neither resizes the page nor waits
 * for its scripts. Rejects as {@link readTitle} does.
 */
export function takePicture(page: Page): Promise<Uint8Array> {
  return withSession(page, pictureMs, async (session) => {
    const frame = new Promise<string>((resolve) => session.once('Page.screencastFrame', ({ data }) => resolve(data)));
    // For a busy page, the reply arrives after the frame.
    const asked = session.send('Page.startScreencast', { format: 'jpeg', quality, ...pictureSize });
    return Buffer.from(await Promise.race([frame, asked.then(() => frame)]), 'base64');
  });
}

/** Connects to the page for a single read, so that no connection stays open without viewers. */
async function withSession<T>(page: Page, ms: number, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const opening = page.context().newCDPSession(page);
  try {
    return await within(ms, opening.then(work), 'The page');
  } finally {
    opening.then((session) => session.detach()).catch(() => undefined);
  }
}
