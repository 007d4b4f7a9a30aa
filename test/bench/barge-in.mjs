// Measures the barge-in delay of a spoken reply in audio: from the first speech sample at the page's microphone to the last sample
// that it plays. `npm run build` first, then `node test/bench/barge-in.mjs [interruptions]`. Needs a browser, espeak-ng and sox.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerImport } from 'vite';

const root = join(import.meta.dirname, '../..');
const load = async (path) => (await runnerImport(join(root, path))).module;
const { launchBrowser, openVisit } = await load('test/helpers/browser.ts');
const { startScriptedAudio } = await load('test/helpers/scripted-audio.ts');

const wanted = Number(process.argv[2] ?? 20);
/** Has no pause, which would count as the end of the speech. */
const reply = 'this reply says a lot about the door and about the book and about the first page of it '.repeat(8).trim();

/** Runs in the page: records when speech begins at the microphone and when playback ends. */
function listen() {
  const loud = 10 ** (-45 / 20);
  const silent = 10 ** (-60 / 20);
  const silentMs = 300;
  const sound = { lastInput: -Infinity, lastOutput: -Infinity, onset: undefined, delays: [] };
  Object.assign(globalThis, { sound });
  const tap = (context, node, take) => {
    const meter = context.createScriptProcessor(256, 1, 1);
    meter.onaudioprocess = ({ inputBuffer }) =>
      take(
        inputBuffer.getChannelData(0).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
        performance.now(),
      );
    node.connectWithoutMeter(meter);
    meter.connectWithoutMeter(context.destination);
    (globalThis.meters ??= []).push(meter);
  };
  AudioNode.prototype.connectWithoutMeter = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function connect(...given) {
    if (given[0] === this.context.destination && !this.isMetered) {
      this.isMetered = true;
      tap(this.context, this, (level, now) => {
        if (level > silent) sound.lastOutput = now;
        if (sound.onset === undefined || now - sound.lastOutput < silentMs) return;
        sound.delays.push(Math.max(0, sound.lastOutput - sound.onset));
        sound.onset = undefined;
      });
    }
    return this.connectWithoutMeter(...given);
  };
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wish) => {
    const stream = await ask(wish);
    const context = new AudioContext();
    tap(context, context.createMediaStreamSource(stream), (level, now) => {
      if (level < loud) return;
      // The first sound after silence, during playback.
      if (now - sound.lastInput > 1_000 && now - sound.lastOutput < 50) sound.onset = now;
      sound.lastInput = now;
    });
    return stream;
  };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-microphone-'));
const [spoken, file] = [join(folder, 'spoken.wav'), join(folder, 'microphone.wav')];
execFileSync('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', spoken, 'Please open the door now.']);
execFileSync('sox', [spoken, '-r', '48000', file, 'silence', '1', '0.01', '1%', 'gain', '-3', 'pad', '1', '4.5']);
const audio = await startScriptedAudio(() => ({ body: { text: 'Please open the door now.' } }));
const browser = await launchBrowser([
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${file}`,
  '--autoplay-policy=no-user-gesture-required',
]);
const environment = {
  AGENT_AUDIO_BASE_URL: audio.url,
  AGENT_TTS_ENABLED: '1',
  AGENT_SPEECH_LOCAL: '1',
  AGENT_TTS_ENGINE: 'espeak-ng',
  AGENT_TTS_MAX_CALLS_PER_TURN: '100',
};
const visit = await openVisit(browser, { isClosed: true, environment, script: [{ text: reply, always: true }], context: { permissions: ['microphone'] } });
try {
  await visit.context.addInitScript(listen);
  const page = await visit.openTab();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.getByRole('button', { name: 'Hands-free', exact: true }).click();
  const until = performance.now() + 15_000 * (wanted + 2);
  let delays = [];
  while (delays.length < wanted && performance.now() < until) {
    await page.waitForTimeout(1_000);
    delays = await page.evaluate(() => globalThis.sound.delays);
  }
  delays.sort((a, b) => a - b);
  const at = (part) => `${Math.round(delays[Math.min(delays.length - 1, Math.ceil(part * delays.length) - 1)] ?? Number.NaN)} ms`;
  process.stdout.write(`interruptions ${delays.length}; from speech to silence: p50 ${at(0.5)}, p95 ${at(0.95)} (goal ≤ 200 ms), longest ${at(1)}\n`);
  process.exitCode = delays.length < wanted ? 1 : 0;
} finally {
  await visit.close();
  await browser.close();
  await audio.close();
  await rm(folder, { recursive: true });
}
