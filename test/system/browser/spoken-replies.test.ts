// Tests spoken replies: sentence order, one speaking window, network loss, and interruption by the user.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { whileServerAway } from '../../helpers/browser.ts';
import { axeFaults } from './axe-faults.ts';
import {
  button,
  connection,
  entries,
  isIdle,
  isReady,
  lastUserText,
  messageField,
  reads,
  say,
  isOnInComposer,
  switchInComposer,
} from '../../helpers/use-browser.ts';
import { cannotTalk, useMicrophone } from './use-microphone.ts';

const talk = useMicrophone();
const testSpeech = test.skipIf(cannotTalk !== undefined);
const spokenHere = { AGENT_TTS_ENABLED: '1', AGENT_SPEECH_LOCAL: '1', AGENT_TTS_ENGINE: 'espeak-ng' };
const strip = (page: Page) => page.getByRole('group', { name: 'Spoken replies' });

async function speedUp(context: BrowserContext, rate = 16): Promise<void> {
  await context.addInitScript((fast) => {
    const usual = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'playbackRate');
    Object.defineProperty(HTMLMediaElement.prototype, 'playbackRate', {
      ...usual,
      set(this: HTMLMediaElement) {
        usual?.set?.call(this, fast);
      },
    });
    const spoken: string[] = [];
    Object.assign(globalThis, { spoken });
    const play = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'play')?.value as () => Promise<void>;
    HTMLMediaElement.prototype.play = async function (this: HTMLMediaElement) {
      const { src } = this;
      let sentence: string | null | undefined;
      // The strip loads lazily and may appear after the first sentence is ready.
      while (!sentence) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (this.src !== src) throw new DOMException('It was stopped meanwhile.', 'AbortError');
        sentence = document.querySelector('[aria-label="Spoken replies"] .speech-strip-text')?.textContent;
      }
      await play.call(this);
      if (sentence !== spoken.at(-1)) spoken.push(sentence);
    };
  }, rate);
}

/** TCP proxy to a server that can be cut. It rewrites its own address to the server’s address in requests. */
async function openLine(port: number): Promise<{ readonly url: string; cut(): void; mend(): void; close(): void }> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const address = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const one of [near, far]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes: Buffer) => far.write(bytes.toString('latin1').replaceAll(address(), `127.0.0.1:${port}`), 'latin1'));
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://${address()}/`,
    cut,
    mend: () => void (isCut = false),
    close() {
      cut();
      server.close();
    },
  };
}

/** Switches Speak replies on and waits until the server confirms it. */
async function speakReplies(page: Page): Promise<void> {
  await switchInComposer(page, 'Speak replies');
  await expect.poll(() => isOnInComposer(page, 'Speak replies')).toBe(true);
}

const spokenIn = (page: Page): Promise<string> => page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken.join(' '));

async function open(options: Parameters<typeof talk>[0] & { readonly rate?: number }): ReturnType<typeof talk> {
  const visit = await talk({ ...options, isClosed: true, environment: { ...spokenHere, ...options.environment } });
  await speedUp(visit.context, options.rate);
  // Silencing a clip during synthesis aborts its download.
  visit.expectFault(/ERR_INCOMPLETE_CHUNKED_ENCODING.*\/api\/tts\/clip\//);
  return visit;
}

testSpeech('transcribes a sentence, speaks the reply and reports it as finished', async () => {
  const visit = await open({ script: [{ text: ['The door is ', 'open now. ', 'The first page says **hello**. ', 'That is all!'], delayMs: 5 }], rate: 4 });
  const page = await visit.openTab();
  const reports: unknown[] = [];
  page.on('request', (request) => request.url().endsWith('/api/tts/heard') && reports.push(request.postDataJSON()));
  await isReady(page);
  await button(page, 'Dictate').click();
  await expect.poll(() => messageField(page).inputValue(), { timeout: 30_000 }).toBe('Open the door.');
  await speakReplies(page);
  await button(page, 'Send').click();
  await button(page, 'Pause').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await reads(page, 'That is all!');
  await expect.poll(() => spokenIn(page), { timeout: 30_000 }).toBe('The door is open now. The first page says hello. That is all!');
  await strip(page).waitFor({ state: 'hidden' });
  // The last report has the reason `finished`, even if a part of the reply arrived late.
  await expect.poll(() => reports.at(-1)).toMatchObject({ reason: 'finished' });
  expect(lastUserText(await visit.model.request(0))).toContain('Open the door.');
});

testSpeech('speaks in one of two windows, and lets the other take over', async () => {
  const visit = await open({ script: [{ text: 'The first reply is here.' }, { text: 'The second reply is here.' }], rate: 4 });
  const first = await visit.openTab();
  await isReady(first);
  await speakReplies(first);
  const second = await visit.openTab();
  await isReady(second);
  await speakReplies(second);
  await strip(first).getByText('spoken in another window').waitFor();
  expect(await isOnInComposer(first, 'Speak replies')).toBe(false);
  expect(await axeFaults(first)).toEqual([]);
  await say(second, 'one');
  await expect.poll(() => spokenIn(second)).toBe('The first reply is here.');
  await strip(second).waitFor({ state: 'hidden' });
  await button(strip(first), 'Speak here').click();
  await strip(second).getByText('spoken in another window').waitFor();
  await isIdle(first);
  await say(first, 'two');
  await expect.poll(() => spokenIn(first)).toBe('The second reply is here.');
  expect(await spokenIn(second)).toBe('The first reply is here.');
});

testSpeech('skips and repeats no sentence after a network loss during a reply', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const visit = await open({
    script: [{ text: ['The beginning is here. ', 'The middle ', 'is here. ', 'The end is here.'], stallAfter: 2, until }],
    rate: 8,
  });
  const line = await openLine(Number(new URL(visit.server.url).port));
  try {
    // The proxy address differs from the origin that the visit watches.
    visit.expectFault(/^outside: /);
    visit.expectFault(whileServerAway);
    const page = await visit.context.newPage();
    const tried = new Set<string>();
    await page.route('**/api/tts/clip/**', (route, request) => {
      if (tried.has(request.url())) return route.continue();
      tried.add(request.url());
      return route.abort('connectionreset');
    });
    await page.goto(line.url);
    await isReady(page);
    await speakReplies(page);
    await say(page, 'tell');
    await expect.poll(() => spokenIn(page)).toBe('The beginning is here.');
    line.cut();
    await connection(page).getByText('OFFLINE').waitFor();
    release();
    // The turn ends before the page reconnects.
    await expect.poll(async () => (await visit.server.call('GET', '/api/status')).body.busy).toBe(false);
    line.mend();
    await reads(page, 'The end is here.');
    await expect.poll(() => spokenIn(page), { timeout: 20_000 }).toBe('The beginning is here. The middle is here. The end is here.');
  } finally {
    line.close();
  }
});

testSpeech('stops on Escape and informs the model, and reads a message aloud with pause and speed', async () => {
  const long = 'This is a rather long reply about the door, which takes much longer than a minute to read aloud from start to end. '.repeat(4).trim();
  const visit = await open({ script: [{ text: long }, { text: 'Short.' }], rate: 1 });
  const page = await visit.openTab();
  await isReady(page);
  await speakReplies(page);
  await say(page, 'tell');
  await button(page, 'Stop speaking').waitFor();
  await isIdle(page);
  await expect.poll(() => page.evaluate(() => document.querySelector('[aria-label="Spoken replies"] .speech-strip-text') !== null)).toBe(true);
  const reported = page.waitForResponse('**/api/tts/heard');
  await page.keyboard.press('Escape');
  await strip(page).waitFor({ state: 'hidden' });
  await reported;
  await switchInComposer(page, 'Speak replies');
  await expect.poll(() => isOnInComposer(page, 'Speak replies')).toBe(false);
  await say(page, 'again');
  await reads(page, 'Short.');
  expect(JSON.stringify((await visit.model.request(1)).body.messages)).toContain('stopped your reply while it was read aloud');

  await isIdle(page);
  await entries(page, 'assistant').first().hover();
  await button(entries(page, 'assistant').first(), 'Read aloud').click();
  await button(page, 'Pause').click();
  await button(page, 'Resume').waitFor();
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('2×');
  await button(page, 'Resume').click();
  await button(page, 'Pause').waitFor();
  // Reading aloud continues on other pages and can be stopped there.
  await page.evaluate(() => (location.hash = '#/search'));
  await messageField(page).waitFor({ state: 'hidden' });
  await button(strip(page), 'Stop speaking').click();
  await strip(page).waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  expect(await page.evaluate(() => localStorage.getItem('voice:speed'))).toBe('2');
  await page.keyboard.press('Control+/');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Stop the spoken reply').waitFor();
  await dialog.getByText('Dictate into the field').waitFor();
});

testSpeech(
  'stops a spoken reply when the user speaks in hands-free mode, and sends the speech',
  async () => {
    const long = 'This is a rather long reply, which says a lot about the door, and about the book, and about the first page of it. '.repeat(6).trim();
    const visit = await open({
      sentence: 'Please open the door now.',
      script: [{ text: long }, { text: 'As you like.', always: true }],
      rate: 1,
    });
    const page = await visit.openTab();
    const reports: { reason?: string }[] = [];
    page.on('request', (request) => request.url().endsWith('/api/tts/heard') && reports.push(request.postDataJSON()));
    await isReady(page);
    await switchInComposer(page, 'Hands-free');
    await button(page, 'Stop speaking').waitFor();
    // The microphone file repeats the sentence while the reply is spoken.
    await expect.poll(() => reports.map(({ reason }) => reason), { timeout: 60_000 }).toContain('barge_in');
    await reads(page, 'As you like.');
    expect(JSON.stringify((await visit.model.request(1)).body.messages)).toContain('spoke while your reply was read aloud');
    await button(page.getByRole('group', { name: 'Hands-free conversation' }), 'End').click();
    expect(await isOnInComposer(page, 'Speak replies')).toBe(false);
  },
  120_000,
);

testSpeech('recognises its own speaker claim if the event precedes the response', async () => {
  const visit = await open({ script: [{ text: 'Unused.' }] });
  const page = await visit.openTab();
  await isReady(page);
  const { chats } = (await visit.server.call('GET', '/api/chats')).body;
  await page.route('**/api/tts/speaker', async (route) => {
    const response = await route.fetch();
    // The title change is shown, so the earlier claim event has been processed.
    await visit.server.call('PATCH', `/api/chats/${chats[0].chatId}`, { title: 'A door' });
    await page.getByText('A door').first().waitFor();
    await route.fulfill({ response });
  });
  await speakReplies(page);
  expect(await strip(page).count()).toBe(0);
});

testSpeech.each(['before', 'after'])('keeps speech paused before it starts and resumes it %s the clip is ready', async (when) => {
  const visit = await open({ script: [{ text: 'The door is open.' }] });
  const page = await visit.openTab();
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/tts', async (route) => {
    await until;
    await route.continue();
  });
  await isReady(page);
  await say(page, 'tell');
  await reads(page, 'The door is open.');
  await isIdle(page);
  await button(entries(page, 'assistant').first(), 'Read aloud').click();
  await button(page, 'Pause').click();
  await button(page, 'Resume').waitFor();
  const arrived = page.waitForResponse('**/api/tts');
  if (when === 'after') release();
  if (when === 'after') await arrived;
  await button(page, 'Resume').click();
  release();
  await expect.poll(() => spokenIn(page)).toBe('The door is open.');
});

testSpeech('claims no speaker in hands-free mode without a microphone, and closes the microphone without speech output', async () => {
  const refused = await open({ isRefused: true });
  const page = await refused.openTab();
  const claims: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/tts/speaker') && claims.push(request.method()));
  await isReady(page);
  await switchInComposer(page, 'Hands-free');
  await page.getByRole('alert').getByText('The browser blocks the microphone for this page. Allow it in the address bar').waitFor();
  expect(claims).toEqual([]);

  const silent = await open({});
  silent.expectFault(/503/);
  const other = await silent.openTab();
  await isReady(other);
  await other.evaluate(() => {
    const devices = navigator.mediaDevices;
    const ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wish) => {
      const stream = await ask(wish);
      Object.assign(globalThis, { isOpen: () => stream.getTracks().some(({ readyState }) => readyState === 'live') });
      return stream;
    };
  });
  await other.route('**/api/tts/speaker', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: JSON.stringify({ error: { code: 'unavailable', message: 'Nothing can speak.' } }) }),
  );
  await switchInComposer(other, 'Hands-free');
  const talking = other.getByRole('group', { name: 'Hands-free conversation' });
  await talking.getByRole('alert').getByText('Nothing can speak.').waitFor();
  expect(await other.evaluate(() => (globalThis as unknown as { isOpen(): boolean }).isOpen())).toBe(false);
});
