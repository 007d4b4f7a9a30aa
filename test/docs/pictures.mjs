// Captures the pictures and texts of `docs/guides/what-a-plugin-can-add.md` and `docs/gallery.md` from a server with the examples and the demo model:
// page, phone, terminal, plain lines and editor. `npm run build` first, then `npm run pictures [NAME…]`. Names restrict it to those pictures.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createServer } from 'vite';
import { startWithModel, withModel } from './picture-model.mjs';
import { inEditor, inTerminal, plainly } from './picture-texts.mjs';
import { shots } from './picture-shots.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/pictures');
const only = process.argv.slice(2);
const isWanted = (name) => only.length === 0 || only.includes(name);
const place = mkdtempSync(join(tmpdir(), 'pictures-'));
const [home, workspace] = [join(place, 'home'), join(place, 'harbour')];

const resolve = { conditions: ['source', 'node', 'module', 'default'] };
const vite = await createServer({
  configFile: false,
  root,
  resolve,
  ssr: { resolve, external: ['@xterm/headless', '@lydell/node-pty'] },
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
});
const helpers = async (name) => vite.ssrLoadModule(join(root, `test/helpers/${name}.ts`));
const { launchBrowser } = await helpers('browser');
const { startServerProcess } = await helpers('server-process');

mkdirSync(folder, { recursive: true });
mkdirSync(workspace);
mkdirSync(join(home, 'plugins'), { recursive: true, mode: 0o700 });
for (const [name, text] of Object.entries({ 'log.md': 'Calm sea\n', 'crew.txt': 'ada@example.org\n' })) writeFileSync(join(workspace, name), text);
for (const from of ['kinds', 'plugins', 'live-panel', 'marks', 'own-result', 'deadlines'])
  cpSync(join(root, 'examples', from), join(home, 'plugins'), { recursive: true, filter: (path) => !path.endsWith('.ts') && !path.endsWith('.md') || path.endsWith('SKILL.md') });
const environment = { HOME: home, APP_HOME: home, AGENT_PERSONA_BOOTSTRAP: '0', AGENT_SANDBOX: 'off', AGENT_APPROVAL_TIMEOUT_MS: '600000', TZ: 'UTC' };

const browser = await launchBrowser();
const server = await startServerProcess({ home, workspace, environment });
let second;
try {
  await fill();
  for (const [name, shot] of Object.entries(shots)) if (isWanted(name)) await take(name, shot).catch(tell);
  if (only.length === 0 || only.includes('texts')) await takeTexts();
} finally {
  await browser.close();
  await server.stop();
  await second?.stop();
  await vite.close();
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
}

function tell(fault) {
  process.exitCode = 1;
  process.stderr.write(`${fault.message}\n`);
}

async function fill() {
  const until = performance.now() + 30_000;
  while ((await server.call('GET', '/api/config')).status !== 200 && performance.now() < until) await new Promise((go) => setTimeout(go, 50));
  const act = (action, more) => server.call('POST', `/api/views/reading-list/actions/${action}`, more);
  await act('add', { input: { title: 'Ships of oak', pages: 420, begun: true } });
  await act('add', { input: { title: 'The long wind', pages: 260 } });
  const looked = async () => (await server.call('GET', '/api/plugins')).body.plugins.filter(({ origin, state }) => origin === 'user' && state !== 'active');
  let faulty = await looked();
  // A plugin that does not run isolated is started again in the server's process.
  while (faulty.length > 0 && performance.now() < until) faulty = await new Promise((go) => setTimeout(go, 200)).then(looked);
  if (faulty.length > 0) throw new Error(JSON.stringify(faulty.map(({ name, state, reason }) => ({ name, state, reason }))));
}

async function take(name, { run, isPhone = false, width = 900, height = 640, locale = 'en', quality = 72, needsModel = false }) {
  const site = needsModel ? await withSecond() : { server };
  const size = isPhone ? { viewport: { width: 360, height }, hasTouch: true, isMobile: true } : { viewport: { width, height } };
  const context = await browser.newContext({ ...size, locale, colorScheme: 'light', reducedMotion: 'reduce', timezoneId: 'UTC' });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const chats = [];
  try {
    const begin = async (title) => chats[chats.push(await newChat(site.server, title)) - 1];
    const scene = { page, ...site, open: (hash) => openAt(page, site.server, hash), newChat: begin };
    const part = await run(scene);
    if (name !== 'sail-button') await page.evaluate(() => [...document.querySelectorAll('button')].find((one) => one.textContent === 'Which wind?')?.remove());
    const dismiss = page.locator('.demo-line button.icon');
    if (await dismiss.isVisible()) await dismiss.click();
    await page.evaluate(tidyPage, [workspace, home]);
    await page.waitForFunction(() => document.fonts.status === 'loaded' && !document.querySelector('[aria-busy="true"], .page-loading'));
    // Highlighting and charts render later without an event. A fixed delay is enough for a picture.
    await page.evaluate(() => new Promise((go) => setTimeout(go, 400)));
    await part?.scrollIntoViewIfNeeded();
    const box = (await part?.boundingBox()) ?? { x: 0, y: 0, ...size.viewport };
    const clip = { x: Math.max(0, box.x - 8), y: Math.max(0, box.y - 8), width: Math.min(box.width + 16, size.viewport.width), height: box.height + 16, scale: 1 };
    const cdp = await context.newCDPSession(page);
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality, ...(part ? { clip, captureBeyondViewport: true } : {}) });
    writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
    process.stdout.write(`${name}.webp ${Math.round(statSync(join(folder, `${name}.webp`)).size / 1024)} kB\n`);
  } catch (fault) {
    await page.screenshot({ path: join(tmpdir(), `${name}-failed.png`) });
    throw new Error(`${name}: ${fault.message}`, { cause: fault });
  } finally {
    await context.close();
    for (const chatId of chats) {
      await site.server.call('POST', '/api/session/abort', { chatId });
      await site.server.call('DELETE', `/api/chats/${chatId}`);
    }
  }
}

function tidyPage([workspace, home]) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    const placed = data.replaceAll(workspace, '/work/harbour').replaceAll(home, '~/.app');
    // Times inside a view belong to the example and stay unchanged.
    const told = parentElement?.closest('[data-view]') ? placed : placed.replace(/^\d\d:\d\d$/, '12:00').replace(/^\d+(?:\.\d+)? m?s$/, '0.1 s');
    if (told !== data) walker.currentNode.data = told;
  }
}

async function withSecond() {
  return (second ??= await startWithModel({ helpers, place, workspace, environment }));
}

async function openAt(page, server, hash) {
  await page.goto('about:blank');
  await page.goto(`${server.url}/#/${hash}`);
}

async function newChat(server, title) {
  return (await server.call('POST', '/api/chats', { title, workspaceMode: 'folder', workspaceRoot: workspace })).body.chatId;
}

async function takeTexts() {
  const appIn = (environment) => async (...argv) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(root, 'dist/main.mjs'), ...argv], {
      cwd: workspace,
      env: { PATH: process.env.PATH, ...environment },
    }).catch((fault) => fault);
    return `${stdout}${stderr}`;
  };
  const app = appIn(environment);
  const { environment: secondEnvironment } = await withSecond();
  const parts = { app, helpers, home, workspace, environment, server };
  const said = { ...(await plainly(parts)), ...(await inTerminal(parts)), ...(await inEditor(parts)), ...(await withModel(second, { app: appIn(secondEnvironment) })) };
  for (const path of ['docs/gallery.md', ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)]) {
    const before = readFileSync(join(root, path), 'utf8');
    const after = before.replace(/(<!-- said: ([\w-]+) -->\n\n(`{3,})\w*\n)[^]*?(^\3$)/gm, (whole, head, name, _fence, end) => {
      if (said[name] === undefined) throw new Error(`${path} uses the text '${name}', which no text file contains`);
      return `${head}${tidy(said[name])}\n${end}`;
    });
    if (after !== before) writeFileSync(join(root, path), after);
  }
  process.stdout.write(`${Object.keys(said).length} texts\n`);
}

function tidy(text) {
  return text
    .replaceAll(second.home, '~/.app')
    .replaceAll(server.url, 'http://127.0.0.1:3001')
    .replaceAll(workspace, '/work/harbour')
    .replaceAll(home, '~/.app')
    .replace(/chat_[0-9A-Z]{26}/g, 'chat_…')
    .replace(/\b(?:\d+ ms|\d\.\d s)\b/g, '12 ms')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
