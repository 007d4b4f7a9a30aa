// How files look beside the chat: the pages of a PDF, and a page with the files that lie beside it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makePdf } from '../../unit/builtins/files/make-pdf.ts';
import { axeFaults } from './axe-faults.ts';
import { button, isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const context = { viewport: { width: 1280, height: 800 } };
const pane = (page: Page) => page.getByRole('complementary', { name: 'Beside the chat' });
const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PANE_SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
};

async function preview(page: Page, name: string): Promise<void> {
  await isReady(page);
  await button(page, 'Show the pane').click();
  await pane(page).getByRole('tab', { name: 'Files' }).click();
  await pane(page)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  await button(pane(page), 'Preview').click();
}

test('the pages of a PDF are drawn as they are looked at, with words that can be selected', async () => {
  const texts = Array.from({ length: 30 }, (_, index) => `Words of sheet ${index + 1}`);
  const { page } = await visit({ files: (workspace) => writeFile(join(workspace, 'a.pdf'), makePdf(texts)), context });
  await preview(page, 'a\\.pdf');
  await pane(page).getByText('30 pages').waitFor();
  const frame = page.frameLocator('iframe[title="Preview of a.pdf"]');
  await frame.getByText('Words of sheet 1', { exact: true }).waitFor();
  expect(await frame.locator('section').count()).toBe(30);
  expect(await frame.locator('canvas').count()).toBeLessThan(10);
  const ink = await frame
    .locator('canvas')
    .first()
    .evaluate((one) => {
      const canvas = one as HTMLCanvasElement;
      return canvas
        .getContext('2d')
        ?.getImageData(0, 0, canvas.width, canvas.height)
        .data.some((value, index) => index % 4 === 0 && value < 100);
    });
  expect(ink).toBe(true);
  expect(await frame.locator('body').evaluate(() => self.origin)).toBe('null');
  const wide = await frame
    .locator('section')
    .first()
    .evaluate((one) => one.clientWidth);
  await button(pane(page), 'Larger').press('Enter');
  await expect
    .poll(() =>
      frame
        .locator('section')
        .first()
        .evaluate((one) => one.clientWidth),
    )
    .toBeGreaterThan(wide);
  await frame.getByLabel('Page 30').scrollIntoViewIfNeeded();
  await frame.getByText('Words of sheet 30', { exact: true }).waitFor();
  await shot(page, 'pdf');
  expect(await axeFaults(page)).toEqual([]);
});

test('what is no PDF inside is told so, and can be saved', async () => {
  const { page } = await visit({ files: (workspace) => writeFile(join(workspace, 'a.pdf'), '%PDF-1.4\nnothing'), context });
  await preview(page, 'a\\.pdf');
  await pane(page)
    .getByText(/^This PDF cannot be shown: /)
    .waitFor();
  await pane(page).getByRole('link', { name: 'Save' }).waitFor();
});

test('a page is shown with the style sheets, scripts and pictures that lie beside it', async () => {
  const { page, expectFault } = await visit({
    files: async (folder) => {
      await mkdir(join(folder, 'site/parts'), { recursive: true });
      await writeFile(
        join(folder, 'site/index.html'),
        '<!doctype html><link rel="stylesheet" href="parts/look.css"><script defer src="./parts/app.js"></script><h1>Hello</h1><img alt="dot" src="parts/dot.svg">',
      );
      await writeFile(join(folder, 'site/parts/look.css'), '@import "more.css"; body { background-image: url(dot.svg) }');
      await writeFile(join(folder, 'site/parts/more.css'), 'h1 { color: rgb(1, 2, 3) }');
      await writeFile(
        join(folder, 'site/parts/dot.svg'),
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
      );
      await writeFile(join(folder, 'site/parts/app.js'), 'document.querySelector("h1").textContent = "Hello from the script </scr" + "ipt>";');
    },
    context,
  });
  // The browser says so of what may not run.
  expectFault(/Blocked script execution/);
  await isReady(page);
  await button(page, 'Show the pane').click();
  await pane(page).getByRole('tab', { name: 'Files' }).click();
  await pane(page).getByRole('button', { name: /^site/ }).click();
  await pane(page)
    .getByRole('button', { name: /^index\.html/ })
    .click();
  await button(pane(page), 'Preview').click();
  const frame = page.frameLocator('iframe[title="Preview of site/index.html"]');
  const heading = frame.getByRole('heading');
  await heading.getByText('Hello', { exact: true }).waitFor();
  expect(await heading.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
  expect(await frame.locator('body').evaluate((one) => getComputedStyle(one).backgroundImage.slice(0, 24))).toBe('url("data:image/svg+xml;');
  await expect.poll(() => frame.getByRole('img', { name: 'dot' }).evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(40);
  await button(pane(page), 'Run scripts').click();
  await heading.getByText('Hello from the script').waitFor();
  await shot(page, 'page');
  expect(await axeFaults(page)).toEqual([]);
});
