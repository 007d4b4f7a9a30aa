// Tests inputs that viewers must not perform: decisions in frames and shadow trees, opening external targets, disallowed keys.
import { expect, test } from 'vitest';
import { merge } from '../../../builtins/desktop/remote/inputs/dispatch.ts';
import type { GuestInput } from '../../../builtins/desktop/remote/guest-protocol.ts';
import { diceFrom, seed } from '../../helpers/dice.ts';
import { useRemoteWorld } from './remote-world.ts';

const world = useRemoteWorld();
const here = { x: 0.25, y: 350 / 600 };
const place = 'position:absolute;left:0;top:300px;width:400px;height:100px;margin:0;border:0;padding:0';
const decision = `<button data-guest="refuse" data-guest-decision style="width:100%;height:100%" onclick="top.document.title += 'decided'">decide</button>`;
const harmless = `<button style="width:100%;height:100%" onclick="top.document.title += 'pressed'">press</button>`;

async function put(kind: 'frame' | 'open' | 'closed' | 'light' | 'frame in a closed tree', html: string, style = ''): Promise<void> {
  await world.window.page.evaluate(
    async ({ kind, html, place }) => {
      const makeFrame = async (parent: ParentNode & Node, css: string): Promise<void> => {
        const frame = Object.assign(document.createElement('iframe'), { srcdoc: `<style>html,body{margin:0;height:100%}</style>${html}` });
        frame.style.cssText = css;
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        parent.append(frame);
        await loaded;
      };
      if (kind === 'frame') return makeFrame(document.body, place);
      const box = document.createElement('div');
      box.style.cssText = place;
      document.body.append(box);
      if (kind === 'light') box.innerHTML = html;
      else if (kind === 'frame in a closed tree') await makeFrame(box.attachShadow({ mode: 'closed' }), 'width:100%;height:100%;border:0');
      else box.attachShadow({ mode: kind }).innerHTML = html;
    },
    { kind, html, place: `${place};${style}` },
  );
}

const title = (): Promise<string> => world.window.page.title();

test.each(['light', 'frame', 'open', 'closed', 'frame in a closed tree'] as const)('rejects a press on a decision: %s', async (kind) => {
  const guest = await world.comeToControl();
  await put(kind, decision);
  const n = guest.click(here);
  await guest.message('refused', ({ input, reason }) => input === n && reason === 'protected');
  expect(await title()).toBe('');
  await world.window.page.mouse.click(200, 350);
  expect(await title()).toBe('decided');
});

test.each(['light', 'frame', 'open'] as const)('accepts a press on an unmarked element: %s', async (kind) => {
  const guest = await world.comeToControl();
  await put(kind, harmless);
  guest.click(here);
  await expect.poll(title).toBe('pressed');
});

test('rejects a press on a scaled or rotated frame, because its hit position is unreliable', async () => {
  const guest = await world.comeToControl();
  await put('frame', `${harmless}${decision}`, 'transform:rotate(180deg) scale(0.9)');
  const n = guest.click(here);
  await guest.message('refused', ({ input, reason }) => input === n && reason === 'protected');
  expect(await title()).toBe('');
});

test('rejects keys for a focused closed shadow tree and for a decision in a frame', async () => {
  const guest = await world.comeToControl();
  for (const kind of ['closed', 'frame', 'open'] as const) {
    await world.window.page.evaluate(() => document.querySelectorAll('iframe, div').forEach((one) => one.remove()));
    await put(kind, decision);
    await world.window.page.mouse.click(200, 350);
    const decided = await title();
    for (const key of ['Enter', ' ', 'x']) {
      const n = guest.input({ type: 'key', key, code: '', modifiers: 0, down: true });
      await guest.message('refused', ({ input, reason }) => input === n && reason === 'protected');
    }
    expect(await title()).toBe(decided);
  }
});

test('rejects presses on external links, downloads and file choosers, which remain available to the host', async () => {
  const guest = await world.comeToControl();
  const fill = 'display:block;width:100%;height:100%';
  const openers = [
    `<a href="https://elsewhere.example/" target="_blank" style="${fill}">elsewhere</a>`,
    `<a href="mailto:x@y.example" style="${fill}"><b>mail</b></a>`,
    `<a href="/same" download style="${fill}">keep</a>`,
    `<label style="${fill}">choose<input type="file" hidden></label>`,
    `<input type="file" style="${fill}">`,
  ];
  const opened: string[] = [];
  world.window.page.on('filechooser', () => void opened.push('chooser'));
  world.window.page.on('popup', (page) => void opened.push(page.url()));
  world.window.page.on('download', () => void opened.push('download'));
  for (const html of openers) {
    await world.window.page.evaluate(() => document.querySelectorAll('div').forEach((one) => one.remove()));
    await put('light', html);
    const n = guest.click(here);
    await guest.message('refused', ({ input, reason }) => input === n && reason === 'protected');
  }
  expect(opened).toEqual([]);
  await world.window.page.mouse.click(200, 350);
  await expect.poll(() => opened).toEqual(['chooser']);
});

test('blocks file choosers and downloads opened by script after a viewer press', async () => {
  const guest = await world.comeToControl();
  const { page } = world.window;
  const fill = 'display:block;width:100%;height:100%';
  const choose = "const one = Object.assign(document.createElement('input'), { type: 'file' }); one.click();";
  const keep = "Object.assign(document.createElement('a'), { href: 'data:application/octet-stream,kept', download: 'kept.bin' }).click();";
  for (const [script, isChooser] of [
    [choose, true],
    [`setTimeout(() => { ${choose} }, 300);`, true],
    [keep, false],
  ] as const) {
    await page.evaluate(() => document.querySelectorAll('div').forEach((one) => one.remove()));
    await put('light', `<button style="${fill}" onclick="document.title += ' went on'; ${script}">go on</button>`);
    const kept = isChooser ? undefined : page.waitForEvent('download').then((download) => download.failure());
    const told = guest.messages.length;
    guest.click(here);
    await expect.poll(title).toContain('went on');
    if (isChooser) await expect.poll(() => guest.messages.slice(told).some(({ type }) => type === 'refused')).toBe(true);
    else expect(await kept).toMatch(/cancel/i);
    await page.evaluate(() => void (document.title = ''));
  }
  // The download block is lifted some time after the last press.
  const switches = (): number => world.window.sent.filter((method) => method === 'Page.setDownloadBehavior').length;
  const before = switches();
  await expect.poll(() => switches() % 2).toBe(0);
  expect(before).toBeGreaterThan(0);
}, 40_000);

test('rejects keys outside the allow list and browser or system shortcuts', async () => {
  const guest = await world.comeToControl();
  await world.window.page.focus('#field');
  const [alt, ctrl, meta, shift] = [1, 2, 4, 8];
  const refused: [string, number][] = [
    ...Array.from({ length: 12 }, (_, at): [string, number] => [`F${at + 1}`, 0]),
    ...['Meta', 'OS', 'ContextMenu', 'PrintScreen', 'BrowserBack', 'Power', 'Insert', 'Pause', 'NumLock', '\u0000', '\u2028'].map((key): [string, number] => [
      key,
      0,
    ]),
    ...[...'bcdefghijlmnopqrstuvwx0123456789+-='].map((key): [string, number] => [key, ctrl]),
    ...[...'wtnlrqvcx'].map((key): [string, number] => [key, meta]),
    ...[...'AKYNTPJI'].map((key): [string, number] => [key, ctrl | shift]),
    ...[...'aerfd1 '].map((key): [string, number] => [key, alt]),
    ...[...'tad'].map((key): [string, number] => [key, ctrl | alt]),
    ...(['Tab', 'PageUp', 'PageDown', 'Escape'] as const).map((key): [string, number] => [key, ctrl]),
    ...(['ArrowLeft', 'ArrowRight', 'Home', 'Tab', 'Escape'] as const).map((key): [string, number] => [key, alt]),
  ];
  for (const [key, modifiers] of refused) {
    const n = guest.input({ type: 'key', key, code: '', modifiers, down: true });
    await guest.message('refused', ({ input, reason }) => input === n && reason === 'protected');
  }
  expect(world.window.sent).not.toContain('Input.dispatchKeyEvent');
  await world.window.page.evaluate(() => {
    const seen: unknown[] = ((globalThis as any).seen = []);
    addEventListener('keydown', ({ key, code, altKey, ctrlKey, metaKey }) => void seen.push([key, code, altKey || ctrlKey || metaKey]));
  });
  // A character typed with Alt or AltGr arrives as text without the key code and Alt, which would approve at the host.
  guest.input({ type: 'key', key: 'å', code: 'KeyA', modifiers: alt, down: true });
  guest.input({ type: 'key', key: '@', code: 'KeyQ', modifiers: ctrl | alt, down: true });
  guest.input({ type: 'key', key: 'q', code: 'KeyQ', modifiers: 0, down: true });
  await expect.poll(() => world.window.page.inputValue('#field')).toBe('å@q');
  expect(await world.window.page.evaluate(() => (globalThis as any).seen)).toEqual([
    ['å', '', false],
    ['@', '', false],
    ['q', 'KeyQ', false],
  ]);
  guest.input({ type: 'key', key: 'z', code: 'KeyZ', modifiers: ctrl | shift, down: true });
  await expect.poll(() => world.window.page.evaluate(() => (globalThis as any).seen.length)).toBe(4);
});

test('merges pending moves and wheel events, but never across a press or a change of wheel direction', () => {
  const dice = diceFrom(seed);
  const made: GuestInput[] = Array.from({ length: 500 }, (_, n) => {
    const seen = { n, seq: 1, geometry: dice() < 0.05 ? 2 : 1, x: dice(), y: dice() };
    const kind = dice();
    if (kind < 0.4) return { type: 'move', ...seen, button: 'none', clickCount: 0, modifiers: 0 };
    if (kind < 0.8) return { type: 'wheel', ...seen, dx: 0, dy: Math.round(dice() * 200 - 100) };
    return { type: kind < 0.9 ? 'down' : 'up', ...seen, button: 'left', clickCount: 1, modifiers: 0 };
  });
  const left: GuestInput[] = [];
  for (const input of made) {
    const last = left.at(-1);
    const merged = last && merge(last, input);
    if (merged) left[left.length - 1] = merged;
    else left.push(input);
  }
  const presses = (all: readonly GuestInput[]): number[] => all.filter(({ type }) => type === 'down' || type === 'up').map(({ n }) => n);
  expect(presses(left)).toEqual(presses(made));
  /** Total wheel distance per direction between two presses. */
  const turned = (all: readonly GuestInput[]): string =>
    all
      .map((one) => (one.type === 'wheel' ? one.dy : one.type === 'move' ? '' : 'press'))
      .join(',')
      .replaceAll(/,+/g, ',');
  const ways = (text: string): string[] => text.split('press').map((part) => {
    const steps = part.split(',').filter(Boolean).map(Number);
    return JSON.stringify([steps.filter((step) => step > 0).reduce((sum, step) => sum + step, 0), steps.filter((step) => step < 0).reduce((sum, step) => sum + step, 0)]);
  }); // prettier-ignore
  expect(ways(turned(left))).toEqual(ways(turned(made)));
  for (const [at, one] of left.entries()) {
    const next = left[at + 1];
    if (one.type === 'wheel' && next?.type === 'wheel' && one.geometry === next.geometry) expect(Math.sign(one.dy) * Math.sign(next.dy)).toBe(-1);
    expect(one.type === 'move' && next?.type === 'move').toBe(false);
  }
});
