// Tests screen sharing in the local network with real sockets and a real page, from the code to the click.
import { expect, test } from 'vitest';
import { field, free, own, useRemoteWorld } from './remote-world.ts';

const world = useRemoteWorld();

test('issues a code with a QR code, and shows the page as a JPEG of its size to a viewer', async () => {
  const code = await world.open();
  expect(code).toMatchObject({ role: 'view', transport: 'lan', guests: 0, qr: expect.stringContaining('<svg') });
  expect(code.urls).toEqual([expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/remote/join#${code.code}$`))]);
  const guest = await world.come(code);
  const frame = await guest.frame();
  expect(frame).toMatchObject({ cssWidth: 800, cssHeight: 600, imageWidth: 800, imageHeight: 600, isStill: false });
  expect(frame.jpeg.subarray(0, 2).toString('hex')).toBe('ffd8');
  expect(await guest.message('welcome')).toMatchObject({ role: 'view', name: 'Phone', heartbeatMs: 2_000 });
  await guest.message('state', ({ host }) => host === 'shown');
  expect(await world.state()).toMatchObject({
    available: true,
    codes: [{ guests: 1 }],
    guests: [{ name: 'Phone', address: '127.0.0.1', role: 'view', state: 'watching' }],
  });
  expect((await world.harness.call('GET', '/api/status')).body.remote).toEqual({ codes: 1, guests: 1, asking: 0 });
});

test('asks the host before a viewer gets control, then applies its clicks and text', async () => {
  const guest = await world.come(await world.open('control'));
  await guest.frame();
  guest.click(free);
  expect(await guest.message('refused')).toMatchObject({ reason: 'waiting' });
  expect(await world.window.page.textContent('#free')).toBe('press');
  const [{ guestId, state: asking }] = (await world.state()).guests;
  expect(asking).toBe('waiting');
  await world.harness.call('POST', `/api/remote/guests/${guestId}`, { allow: true });
  await guest.message('state', ({ mayControl }) => mayControl);
  guest.click(free);
  await expect.poll(() => world.window.page.textContent('#free')).toBe('pressed 1');
  guest.click(field);
  await guest.message('focus', ({ editable }) => editable);
  const n = guest.input({ type: 'text', text: 'grüße 你好' });
  await expect.poll(() => world.window.page.inputValue('#field')).toBe('grüße 你好');
  await guest.frame(({ ackedInput }) => ackedInput >= n);
});

test('rejects clicks, keys and text for a protected element', async () => {
  const guest = await world.comeToControl();
  const clicked = guest.click(own);
  await guest.message('refused', ({ input, reason }) => input === clicked && reason === 'protected');
  await world.window.page.focus('#own');
  for (const key of ['Enter', ' ', 'a']) {
    const n = guest.input({ type: 'key', key, code: '', modifiers: 0, down: true });
    await guest.message('refused', ({ input, reason }) => input === n && reason === 'protected');
  }
  const typed = guest.input({ type: 'text', text: 'yes' });
  await guest.message('refused', ({ input }) => input === typed);
  expect(await world.window.page.title()).toBe('');
});

test('closes a view-only viewer that sends input with 1008', async () => {
  const guest = await world.come(await world.open('view'));
  await guest.frame();
  guest.click(free);
  expect(await guest.closed).toBe(1008);
  expect(world.window.sent.filter((method) => method.startsWith('Input.'))).toEqual([]);
  expect(await guest.message('ended')).toMatchObject({ reason: expect.any(String) });
});

test('runs no screencast without viewers and closes the listener with its last code', async () => {
  expect(world.window.sent).toEqual([]);
  const code = await world.open();
  expect(world.window.sent).toEqual([]);
  const guest = await world.come(code);
  await guest.frame();
  guest.close();
  await expect.poll(() => world.window.sessions).toBe(0);
  const sent = world.window.sent.length;
  await world.window.page.evaluate(() => (document.body.style.background = 'red'));
  expect(world.window.sent.length).toBe(sent);
  expect((await fetch(`${world.endpointOf(code)}/remote/join`, { method: 'POST' })).status).toBe(415);
  expect((await world.harness.call('DELETE', `/api/remote/${code.code}`)).body).toEqual({ ok: true });
  await expect
    .poll(() =>
      fetch(world.endpointOf(code)).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
});
