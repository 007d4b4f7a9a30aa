// Inspects the window of the built program. It has no debugging port, so a plugin in the home folder forwards requests to its page.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const plugin = `
export const manifest = { name: 'window-view', requires: ['desktopWindow'] };
export function register(registry) {
  const { desktopWindow } = registry.services;
  let opened;
  registry.add('route', {
    key: 'POST /api/window-view',
    summary: 'A call to the page of the window.',
    tag: 'test',
    schema: { body: { type: 'object', properties: { method: { type: 'string' }, params: { type: 'object' } }, required: ['method', 'params'] } },
    async handle({ body: { method, params } }) {
      const window = desktopWindow.current();
      if (!window) return { gone: true };
      if (opened?.window !== window) opened = { window, session: await window.session() };
      return { result: await opened.session.send(method, params) };
    },
  });
}
`;

export interface WindowView {
  /** Calls a method of the browser protocol on the window's page. */
  send(method: string, params?: object): Promise<any>;
  evaluate(expression: string): Promise<any>;
  /** Returns the centre of the found text, 0 to 1 of the visible area; `undefined` if absent. */
  placeOf(find: string): Promise<{ readonly x: number; readonly y: number } | undefined>;
  click(find: string): Promise<void>;
  type(text: string): Promise<void>;
  pressEnter(): Promise<void>;
}

export async function addWindowView(home: string): Promise<void> {
  await mkdir(join(home, 'plugins'), { recursive: true });
  await writeFile(join(home, 'plugins', 'window-view.mjs'), plugin, { mode: 0o600 });
}

export function viewWindow(url: string, token: string): WindowView {
  async function send(method: string, params: object = {}): Promise<any> {
    const reply = await fetch(`${url}/api/window-view`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ method, params }),
    });
    const body = (await reply.json()) as { readonly result?: unknown };
    if (body.result === undefined) throw new Error(`${method}: ${reply.status} ${JSON.stringify(body)}`);
    return body.result;
  }
  const evaluate = async (expression: string): Promise<any> =>
    (await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true, userGesture: true })).result.value;
  const placeOf = (find: string): Promise<any> =>
    evaluate(
      `(() => { const found = ${find}; if (!found) return undefined; const box = found.getBoundingClientRect(); return { x: (box.left + box.width / 2) / innerWidth, y: (box.top + box.height / 2) / innerHeight }; })()`,
    );
  return {
    send,
    evaluate,
    placeOf,
    async click(find) {
      const [at, [width, height]] = await Promise.all([placeOf(find), evaluate('[innerWidth, innerHeight]')]);
      if (!at) throw new Error(`there is no ${find}`);
      const mouse = { x: at.x * width, y: at.y * height, button: 'left', clickCount: 1 };
      await send('Input.dispatchMouseEvent', { ...mouse, type: 'mousePressed', buttons: 1 });
      await send('Input.dispatchMouseEvent', { ...mouse, type: 'mouseReleased', buttons: 0 });
    },
    type: (text) => send('Input.insertText', { text }),
    async pressEnter() {
      const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
      await send('Input.dispatchKeyEvent', { ...key, type: 'keyDown', text: '\r' });
      await send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' });
    },
  };
}
