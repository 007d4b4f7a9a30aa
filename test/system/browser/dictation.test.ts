// Tests dictation with a microphone that receives real speech.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import {
  approvalOf,
  button,
  entries,
  isIdle,
  isReady,
  lastUserText,
  messageField,
  reads,
  say,
  clickUntil,
  isOnInComposer,
  switchInComposer,
} from '../../helpers/use-browser.ts';
import { cannotTalk, useMicrophone } from './use-microphone.ts';

const talk = useMicrophone();
const testSpeech = test.skipIf(cannotTalk !== undefined);

/** A slow page may miss the sentence, which is then repeated. */
const patient = { timeout: 30_000 };

const secondsOf = (wav: Buffer): number => (wav.length - 44) / 32_000;

async function waitForSound(page: Page): Promise<void> {
  const isLoudStill = (): boolean => {
    const isLoud = Number(document.querySelector('[role="meter"]')?.getAttribute('aria-valuenow')) > 30;
    const { dataset } = document.body;
    if (isLoud) dataset['loudSince'] ??= String(performance.now());
    return isLoud && performance.now() - Number(dataset['loudSince']) > 300;
  };
  // A slow page may miss the sentence, which is then repeated.
  await page.waitForFunction(isLoudStill, undefined, { timeout: 45_000 });
}

testSpeech('inserts dictated text at the caret from 16 kHz WAV and leaves sending to the user', async () => {
  const { page, asked, model } = await talk({ script: [{ text: 'It is open.' }] });
  await isReady(page);
  const field = messageField(page);
  await field.fill('First. Then stop.');
  await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(6, 6));
  await button(page, 'Dictate').click();
  const strip = page.getByRole('group', { name: 'Dictation' });
  await strip.getByText('Listening…').waitFor();
  await expect.poll(() => strip.getByRole('meter').getAttribute('aria-valuenow').then(Number)).toBeGreaterThan(20);
  await strip.getByText(/The audio is sent to 127\.0\.0\.1/).waitFor();
  await expect.poll(() => field.inputValue(), patient).toBe('First. Open the door. Then stop.');
  await strip.waitFor({ state: 'hidden' });
  expect(await field.evaluate((element: HTMLTextAreaElement) => [element === document.activeElement, element.selectionStart])).toEqual([true, 21]);
  const sound = asked[0]?.sound ?? Buffer.alloc(0);
  expect([asked.length, sound.toString('latin1', 0, 4), sound.readUInt32LE(24), sound.readUInt16LE(22)]).toEqual([1, 'RIFF', 16_000, 1]);
  expect(secondsOf(sound)).toBeGreaterThan(1);
  expect(secondsOf(sound)).toBeLessThan(8);
  expect(await entries(page, 'user').count()).toBe(0);
  await field.press('Control+z');
  expect(await field.inputValue()).toBe('First. Then stop.');
  await button(page, 'Send').click();
  await reads(page, 'It is open.');
  expect(lastUserText(await model.request(0))).toContain('First. Then stop.');
});

testSpeech('loads the dictation code only on first use', async () => {
  const { context, origin } = await talk({ isClosed: true });
  const page = await context.newPage();
  const files: string[] = [];
  page.on('request', (request) => void files.push(new URL(request.url()).pathname));
  await page.goto(origin);
  await isReady(page);
  const parts = /\/(?:dictation|hands-free|spoken-replies|speech-strip|capture-worklet|microphone)(?:-strip)?-[\w-]{8}\.|^\/api\/(?:audio|tts)/;
  expect(files.filter((path) => parts.test(path))).toEqual([]);
  await button(page, 'Dictate').click();
  await page.getByText('Listening…').waitFor();
  expect(files.filter((path) => parts.test(path)).length).toBeGreaterThan(1);
  await button(page, 'Cancel').click();
  await page.getByText('Listening…').waitFor({ state: 'hidden' });
  expect(await messageField(page).evaluate((field) => field === document.activeElement)).toBe(true);
});

testSpeech('retries a failed transcription without uploading the clip again', async () => {
  let isUp = false;
  const { page, asked, expectFault } = await talk({
    audio: () => (isUp ? { body: { text: 'Now it works.' } } : { status: 400, body: { error: { message: 'The engine is tired.' } } }),
  });
  const uploads: string[] = [];
  page.on('request', (request) => request.url().includes('/api/audio/upload') && uploads.push(request.url()));
  expectFault(/\/api\/transcribe/);
  await isReady(page);
  await button(page, 'Dictate').click();
  const strip = page.getByRole('group', { name: 'Dictation' });
  await strip
    .getByRole('alert')
    .getByText(/The engine is tired/)
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  isUp = true;
  await button(strip, 'Try again').click();
  await expect.poll(() => messageField(page).inputValue(), patient).toBe('Now it works.');
  expect([uploads.length, asked.length > 1]).toEqual([1, true]);
});

testSpeech('starts with Alt+V, discards the recording on Escape and records while a key is held', async () => {
  const { page, asked } = await talk({});
  await isReady(page);
  const field = messageField(page);
  await field.fill('kept');
  await field.press('Alt+v');
  const strip = page.getByRole('group', { name: 'Dictation' });
  await strip.getByText('Listening…').waitFor();
  await page.keyboard.press('Escape');
  await strip.waitFor({ state: 'hidden' });
  expect([asked.length, await field.inputValue()]).toEqual([0, 'kept']);

  // Losing the window focus while the keys are held stops the recording.
  await page.keyboard.down('Alt');
  await page.keyboard.down('v');
  await strip.getByText('Listening…').waitFor();
  await page.waitForFunction((since) => performance.now() - since > 350, await page.evaluate(() => performance.now()));
  await page.evaluate(() => dispatchEvent(new Event('blur')));
  await strip.getByText('Listening…').waitFor({ state: 'hidden' });
  await page.keyboard.up('v');
  await page.keyboard.up('Alt');
  await strip.getByRole('button', { name: /^(?:Cancel|Close)$/ }).click();
  await strip.waitFor({ state: 'hidden' });
  await field.fill('kept');
  const before = asked.length;

  await button(page, 'Dictate').focus();
  await page.keyboard.down('Enter');
  await strip.getByText('Listening…').waitFor();
  // Waits longer than the sentence and its pause: recording does not end while the key is held.
  await page.waitForFunction(() => {
    const now = Number(document.querySelector('[role="meter"]')?.getAttribute('aria-valuenow') ?? 0);
    const seen = document.body.dataset;
    if (now > 20) seen['loud'] = 'yes';
    if (seen['loud'] !== 'yes' || now > 3) seen['quietSince'] = String(performance.now());
    return seen['loud'] === 'yes' && performance.now() - Number(seen['quietSince']) > 1_200;
  });
  expect(asked.length).toBe(before);
  await page.keyboard.up('Enter');
  await expect.poll(() => field.inputValue(), patient).toContain('Open the door.');
  expect(asked.length).toBe(before + 1);
});

testSpeech('dictates the answer to a question and the reason of a denial by touch', async () => {
  const { page, model } = await talk({
    script: [
      { toolCalls: [{ name: 'ask_user', args: { prompt: 'Which door?' } }] },
      { toolCalls: [{ name: 'run_command', args: { command: 'touch x' } }] },
      { text: 'As you say.' },
    ],
    environment: { AGENT_TTS_ENABLED: '1' },
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  });
  await isReady(page);
  await say(page, 'go');
  const question = page.getByRole('group', { name: 'Question' });
  await button(question, 'Dictate').tap();
  await question.getByText('Listening…').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expect.poll(() => question.getByRole('textbox', { name: 'Answer' }).inputValue(), patient).toBe('Open the door.');
  await button(question, 'Answer').tap();
  const approval = approvalOf(page, 'run_command');
  // Until then the only field is the command line, which also accepts dictation, and a disappearing strip moves the buttons.
  const reason = approval.getByRole('textbox', { name: 'Reason' });
  await clickUntil(button(approval, 'Deny'), reason);
  await button(approval, 'Dictate').tap();
  await expect.poll(() => reason.inputValue(), patient).toBe('Open the door.');
  await button(approval, 'Deny now').tap();
  await reads(page, 'As you say.');
  await isIdle(page);
  expect(JSON.stringify((await model.request(2)).body.messages)).toContain('Open the door.');
  await button(entries(page, 'assistant').last(), 'More actions').tap();
  const tools = entries(page, 'assistant').last().getByRole('button');
  await tools.filter({ hasText: 'Read aloud' }).waitFor();
  // Each label fits on one line.
  for (const words of await tools.locator('span').all()) expect((await words.boundingBox())?.height).toBeLessThan(28);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

testSpeech('clicks no other button when a tap on Dictate moves the layout', async () => {
  const { page, context } = await talk({
    script: [{ toolCalls: [{ name: 'run_command', args: { command: 'touch x' } }] }, { text: 'As you say.' }],
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  });
  await isReady(page);
  await say(page, 'go');
  const approval = approvalOf(page, 'run_command');
  const reason = approval.getByRole('textbox', { name: 'Reason' });
  await clickUntil(button(approval, 'Deny'), reason);
  await page.evaluate(() => addEventListener('click', () => (document.body.dataset['isClicked'] = 'yes'), { capture: true }));
  const { x = 0, y = 0, width = 0, height = 0 } = (await button(approval, 'Dictate').boundingBox()) ?? {};
  const finger = await context.newCDPSession(page);
  const timestamp = Date.now() / 1000;
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + width / 2, y: y + height / 2 }], timestamp });
  await approval.getByRole('group', { name: 'Dictation' }).waitFor();
  // A short tap by its timestamps, however slow the page is.
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.1 });
  await expect.poll(() => reason.inputValue(), patient).toBe('Open the door.');
  expect(await page.evaluate(() => document.body.dataset['isClicked'])).toBe(undefined);
});

testSpeech('treats a press during a slow microphone start as a tap', async () => {
  const { page } = await talk({});
  await isReady(page);
  const strip = page.getByRole('group', { name: 'Dictation' });
  await page.evaluate(() => {
    const devices = navigator.mediaDevices;
    const ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = (wish) => new Promise<void>((resolve) => Object.assign(globalThis, { allow: resolve })).then(() => ask(wish));
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes('Listening…')) return;
      observer.disconnect();
      document.activeElement?.dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter', bubbles: true }));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await button(page, 'Dictate').focus();
  await page.keyboard.down('Enter');
  await strip.getByText('Requesting the microphone…').waitFor();
  await page.waitForFunction((since) => performance.now() - since > 350, await page.evaluate(() => performance.now()));
  await page.evaluate(() => (globalThis as unknown as { allow(): void }).allow());
  await expect.poll(() => messageField(page).inputValue(), patient).toBe('Open the door.');
  await page.keyboard.up('Enter');
});

testSpeech('reports a refused microphone, silence and an unplugged microphone', async () => {
  const refused = await talk({ isRefused: true });
  await isReady(refused.page);
  await button(refused.page, 'Dictate').click();
  await refused.page.getByRole('alert').getByText('The browser blocks the microphone for this page. Allow it in the address bar').waitFor();
  expect(await axeFaults(refused.page)).toEqual([]);
  await button(refused.page, 'Close').click();

  const quiet = await talk({});
  await isReady(quiet.page);
  const strip = quiet.page.getByRole('group', { name: 'Dictation' });
  await quiet.page.evaluate(() => {
    const devices = navigator.mediaDevices;
    const ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wish) => {
      const stream = await ask(wish);
      const [track] = stream.getAudioTracks();
      // A disabled track delivers silence.
      if (track) track.enabled = 'isHeard' in globalThis;
      Object.assign(globalThis, { unplug: () => track?.dispatchEvent(new Event('ended')) });
      return stream;
    };
  });
  await button(quiet.page, 'Dictate').click();
  await strip.getByText('Listening…').waitFor();
  await button(strip, 'Done').click();
  await strip.getByRole('alert').getByText('No speech was recorded').waitFor();
  expect(quiet.asked.length).toBe(0);
  await quiet.page.evaluate(() => void Object.assign(globalThis, { isHeard: true }));
  await button(quiet.page, 'Dictate').click();
  await strip.getByText('Listening…').waitFor();
  await waitForSound(quiet.page);
  await quiet.page.evaluate(() => (globalThis as unknown as { unplug(): void }).unplug());
  await strip.getByRole('alert').getByText('The microphone was disconnected').waitFor();
  expect(await messageField(quiet.page).inputValue()).toBe('Open the door.');
});

testSpeech('sends speech in hands-free mode with a voice label and ends on Escape', async () => {
  const { page, model } = await talk({ script: [{ text: 'It is open.', always: true }], sentence: 'Please open the door.', silence: 12 });
  await isReady(page);
  await switchInComposer(page, 'Hands-free');
  const strip = page.getByRole('group', { name: 'Hands-free conversation' });
  // Each text is shown only briefly and again with the next sentence.
  await Promise.all(['start speaking', 'recording; a pause'].map((words) => strip.getByText(words).waitFor({ timeout: 45_000 })));
  await reads(page, 'Open the door.');
  await reads(page, 'It is open.');
  await entries(page, 'user').getByText('by voice').waitFor();
  expect(lastUserText(await model.request(0))).toContain('Open the door.');
  await isIdle(page);
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await strip.waitFor({ state: 'hidden' });
  expect(await isOnInComposer(page, 'Hands-free')).toBe(false);
});

testSpeech("shows a preview of the browser's recogniser with a notice and inserts the transcription of the recording", async () => {
  const visit = await talk({ isClosed: true, environment: { AGENT_DICTATION_WEB_SPEECH: '1', AGENT_DICTATION_AUDIO_CUE: '1' } });
  await visit.context.addInitScript(() => {
    class Recogniser {
      onresult?: (event: object) => void;
      start(): void {
        setTimeout(() => this.onresult?.({ results: [[{ transcript: 'Open the boar' }]] }), 0);
      }
      abort(): void {
        Object.assign(globalThis, { isAborted: true });
      }
    }
    Object.assign(globalThis, { SpeechRecognition: undefined, webkitSpeechRecognition: Recogniser });
    // No pause ends the recording.
    if (location.protocol === 'http:') localStorage.setItem('voice:pause', 'never');
  });
  const page = await visit.openTab();
  await isReady(page);
  await button(page, 'Dictate').click();
  const strip = page.getByRole('group', { name: 'Dictation' });
  await strip.getByText('Open the boar').waitFor();
  await strip.getByText('it may send the audio to its vendor').waitFor();
  await waitForSound(page);
  expect(await messageField(page).inputValue()).toBe('');
  await button(strip, 'Done').click();
  await expect.poll(() => messageField(page).inputValue(), patient).toBe('Open the door.');
  expect(await page.evaluate(() => (globalThis as { isAborted?: boolean }).isAborted)).toBe(true);
});

testSpeech('stops listening with a notice when the page is hidden', async () => {
  const { page } = await talk();
  await isReady(page);
  const hide = (isHidden: boolean): Promise<void> =>
    page.evaluate((is) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await switchInComposer(page, 'Hands-free');
  const strip = page.getByRole('group', { name: 'Hands-free conversation' });
  await strip.getByText('start speaking').waitFor();
  await hide(true);
  await strip.getByRole('alert').getByText('The page was hidden, so the conversation ended.').waitFor();
  expect(await isOnInComposer(page, 'Hands-free')).toBe(false);
  await button(strip, 'Close').click();
  await hide(false);
  await button(page, 'Dictate').click();
  await page.getByText('Listening…').waitFor();
  await hide(true);
  await page.getByRole('alert').getByText('so the recording ended').waitFor();
  await hide(false);
});

testSpeech('stops listening when another chat is opened and keeps the text', async () => {
  const { page, server, origin } = await talk({});
  // No pause ends the recording.
  await page.evaluate(() => localStorage.setItem('voice:pause', 'never'));
  await isReady(page);
  const strip = page.getByRole('group', { name: 'Dictation' });
  await button(page, 'Dictate').click();
  await waitForSound(page);
  const { chatId } = (await server.call('POST', '/api/chats', {})).body;
  await page.goto(`${origin}/#/chat/${chatId}`);
  await strip.getByText('“Open the door.”').waitFor();
  // On a page without a message field the text stays in the strip until one is available.
  await page.goto(`${origin}/#/search`);
  await strip.waitFor({ state: 'detached' });
  await page.goto(`${origin}/#/chat/${chatId}`);
  await button(strip, 'Insert it here').click();
  await expect.poll(() => messageField(page).inputValue(), patient).toBe('Open the door.');
});
