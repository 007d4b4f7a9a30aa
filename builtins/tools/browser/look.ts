// What can be seen of a page from outside of it: its title and a small picture. The page's own scripts are not asked.
import type { CDPSession, Page } from 'playwright-core';
import { within } from './deadline.ts';

/** Pixels at most; a larger viewport is scaled down by the browser. */
const pictureSize = { maxWidth: 800, maxHeight: 1_600 };
const quality = 50;
const titleMs = 500;
const pictureMs = 1_500;

/** Answers with a busy page too. Rejects where the page is gone or says nothing in time. */
export function readTitle(page: Page): Promise<string> {
  return look(page, titleMs, async (session) => {
    const { targetInfo } = await session.send('Target.getTargetInfo');
    return targetInfo.title;
  });
}

/**
 * A JPEG of the viewport: the first frame of a screencast, which is what the browser has drawn last. So it neither resizes
 * the page nor waits for its scripts, as a screenshot would. Rejects like {@link readTitle}.
 */
export function takePicture(page: Page): Promise<Uint8Array> {
  return look(page, pictureMs, async (session) => {
    const frame = new Promise<string>((resolve) => session.once('Page.screencastFrame', ({ data }) => resolve(data)));
    // With a busy page it is not answered before the frame is there.
    const asked = session.send('Page.startScreencast', { format: 'jpeg', quality, ...pictureSize });
    return Buffer.from(await Promise.race([frame, asked.then(() => frame)]), 'base64');
  });
}

/** The connection to the page lasts for one look, so that nothing is left of it when nobody looks. */
async function look<T>(page: Page, ms: number, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const opening = page.context().newCDPSession(page);
  try {
    return await within(ms, opening.then(work), 'The page');
  } finally {
    opening.then((session) => session.detach()).catch(() => undefined);
  }
}
