// Takes pictures of every page for `docs/screenshots`: desktop and phone, light and dark. `npm run build` first, then `npm run screenshots`.
// A name behind it takes that picture alone: `chat`, `plane-policy`; `plane` takes those of the control plane, `local` the others.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { apiDocument, notes, scriptOfScenes, scenes, weatherFiles } from './scenes.mjs';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/screenshots');
const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
const only = process.argv[2];
const isWanted = (name) => {
  const isOfPlane = name.startsWith('plane-');
  return only === undefined || only === name || (isOfPlane ? only === 'plane' : only === 'local');
};
// As the tests run: from the sources. It stays open, as the control plane imports much on first use.
const resolve = { conditions: ['source', 'node', 'module', 'default'] };
const vite = await createServer({
  configFile: false,
  root,
  resolve,
  ssr: { resolve },
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
});
const { launchBrowser, openVisit } = await vite.ssrLoadModule(join(root, 'test/helpers/browser.ts'));
const { openPlaneScene, planePages } = await vite.ssrLoadModule(join(root, 'test/system/browser/plane-scenes.ts'));

await mkdir(folder, { recursive: true });

const browser = await launchBrowser();
try {
  if (only === undefined || !only.startsWith('plane')) await takeLocal();
  if (planePages.some(([name]) => isWanted(name))) await takePlane();
} finally {
  await browser.close();
  await vite.close();
}

async function onEachDevice(work) {
  for (const [device, options] of Object.entries(devices)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ ...options, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await work(page, (name) => picture(page, name, `${device}-${colorScheme}`));
      await context.close();
    }
  }
}

async function picture(page, name, suffix) {
  if (!isWanted(name)) return;
  await page.waitForFunction(() => document.fonts.status === 'loaded' && !document.querySelector('[aria-busy="true"], .page-loading'));
  // Highlighting and charts come a moment later, and nothing says when; a picture is no test.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
  await page.screenshot({ path: join(folder, `${name}-${suffix}.png`) });
  process.stdout.write(`${name}-${suffix}.png\n`);
}

async function takePlane() {
  const scene = await openPlaneScene();
  try {
    await onEachDevice(async (page, take) => {
      await scene.enter(page);
      for (const [name, address] of planePages.filter(([name]) => isWanted(name))) {
        await page.goto('about:blank');
        await page.goto(`${scene.plane.url}/#/${address}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await take(name.replace('view/', ''));
      }
    });
  } finally {
    await scene.close();
  }
}

async function takeLocal() {
  const place = await mkdtemp(join(tmpdir(), 'pictures-'));
  const project = join(place, 'weather-report');
  await mkdir(project, { recursive: true });
  for (const [name, text] of Object.entries(weatherFiles)) await writeFile(join(project, name), text);
  const visit = await openVisit(browser, {
    isClosed: true,
    isForeign: true,
    script: scriptOfScenes,
    environment: { AGENT_APPROVAL_TIMEOUT_MS: '600000', AGENT_PERSONA_BOOTSTRAP: '0', AGENT_PLUGIN_DIR: join(root, 'examples/plugins') },
  });
  try {
    const chats = await playScenes(visit, project);
    await fillPages(visit, chats.work);
    await onEachDevice((page, take) => tourOf(visit, chats, page, take));
  } finally {
    await visit.close();
    await rm(place, { recursive: true, force: true });
  }
}

/** Answers the chat of each scene. */
async function playScenes({ server }, project) {
  const chats = {};
  for (const { name, title, messages, isOpenEnded } of scenes) {
    const { chatId } = (await server.call('POST', '/api/chats', { title, workspaceMode: 'folder', workspaceRoot: project })).body;
    chats[name] = chatId;
    for (const [index, text] of messages.entries()) {
      const { turnId } = (await server.call('POST', '/api/message', { chatId, text })).body;
      await waitFor(async () => {
        const { chats: states } = (await server.call('GET', '/api/status')).body;
        const state = states.find((one) => one.chatId === chatId);
        if (isOpenEnded && index === messages.length - 1) return ['approval', 'answer'].includes(state?.waitingFor);
        return state?.busy !== true || state.turnId !== turnId;
      });
    }
  }
  return chats;
}

async function fillPages({ server }, chatId) {
  for (const note of notes) await server.call('POST', '/api/memory', { chatId, ...note });
  await server.call('POST', '/api/integrations/openapi', { name: 'stations', spec: apiDocument });
}

async function waitFor(isTrue) {
  for (let round = 0; round < 600; round++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('a scene did not come to its end within 30 s');
}

async function tourOf({ server, origin }, chats, page, take) {
  const open = async (hash, ready) => {
    await page.goto('about:blank');
    await page.goto(`${server.url}/#/${hash}`);
    await ready.first().waitFor();
  };
  const log = page.getByRole('log', { name: 'Conversation' });
  const title = page.getByRole('heading', { level: 1 });

  await page.goto(origin);
  await page.getByLabel('Token').waitFor();
  await take('sign-in');
  await open(`chat/${chats.work}`, log.getByText('All twelve tests pass'));
  await take('chat');
  await log
    .locator('[data-state]')
    .first()
    .evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await take('tools');
  await open(`chat/${chats.approval}`, page.getByRole('group', { name: /^Approval of/ }));
  await take('approval');
  await open(`chat/${chats.question}`, page.getByRole('group', { name: 'Question' }));
  await take('question');
  await open(`chat/${chats.empty}`, page.getByRole('textbox', { name: 'Message' }));
  await take('new-chat');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await take('palette');
  for (const name of ['settings', 'plugins', 'view/usage', 'account', 'memory', 'connections']) {
    await open(name, title);
    await take(name.split('/').at(-1));
  }
  await open('search', title);
  await page.getByRole('main').getByRole('searchbox').fill('temperature');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('link').first().waitFor();
  await take('search');
}
