// Opens browsers with a synthetic microphone that plays a spoken sentence, on a server with a scripted audio provider.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { findBrowser, launchBrowser, missingBrowser, openSite, openVisit, type Site, type Visit, type VisitOptions } from '../../helpers/browser.ts';
import { hasProgram } from '../../helpers/programs-needed.ts';
import { startScriptedAudio, type AudioAnswer, type AudioAsked, type ScriptedAudio } from '../../helpers/scripted-audio.ts';

export interface TalkOptions extends VisitOptions {
  readonly sentence?: string;
  /** Seconds of silence after the sentence. */
  readonly silence?: number;
  /** Answers of the audio provider. Defaults to the transcript `Open the door.` */
  readonly audio?: (asked: AudioAsked) => AudioAnswer | Promise<AudioAnswer>;
  /** The browser denies microphone access. */
  readonly isRefused?: boolean;
}

interface Place {
  readonly site: Site;
  readonly audio: ScriptedAudio;
  answer: (asked: AudioAsked) => AudioAnswer | Promise<AudioAnswer>;
}

export interface Talk extends Visit {
  readonly asked: readonly AudioAsked[];
}

const programs = ['espeak-ng', 'sox'];
const missing = [...programs.filter((name) => !hasProgram(name)), ...(findBrowser() === undefined ? [missingBrowser] : [])];
/** Reason to skip tests that need the microphone. Undefined where `CI` is set, so that they run and fail. */
export const cannotTalk = missing.length > 0 && process.env['CI'] === undefined ? `needs ${missing.join(', ')}` : undefined;

/** Returns a function that opens a visit. Unexpected faults fail the test. */
export function useMicrophone(): (options?: TalkOptions) => Promise<Talk> {
  const folder = mkdtempSync(join(tmpdir(), 'microphone-'));
  const browsers = new Map<string, Browser>();
  const places = new Map<string, Place>();
  /** Visits of the current test. */
  const open: { readonly visit: Visit; readonly key: string; readonly place: Place }[] = [];

  /** Each further visit in a test gets a server of its own. */
  async function placeFor(environment: VisitOptions['environment'] = {}): Promise<{ readonly key: string; readonly place: Place }> {
    const key = JSON.stringify([environment, open.length]);
    const known = places.get(key);
    if (known) return { key, place: known };
    const audio = await startScriptedAudio((asked) => place.answer(asked));
    const site = await openSite({ environment: { AGENT_AUDIO_BASE_URL: audio.url, AGENT_SPEECH_LOCAL: '0', ...environment } });
    const place: Place = { site, audio, answer: () => ({ status: 500 }) };
    places.set(key, place);
    return { key, place };
  }

  async function leave(key: string, { site, audio }: Place): Promise<void> {
    places.delete(key);
    await site.close();
    await audio.close();
  }

  /** A browser process plays one audio file for its whole life. */
  async function browserFor(sentence: string, silence: number): Promise<Browser> {
    const key = `${sentence} ${silence}`;
    const known = browsers.get(key);
    if (known?.isConnected()) return known;
    const file = join(folder, `${browsers.size}.wav`);
    const spoken = join(folder, 'spoken.wav');
    execFileSync('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', spoken, sentence]);
    execFileSync('sox', [spoken, '-r', '48000', file, 'gain', '-3', 'pad', '0.6', String(silence)]);
    const browser = await launchBrowser([
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${file}`,
      '--autoplay-policy=user-gesture-required',
    ]);
    browsers.set(key, browser);
    return browser;
  }

  afterEach(async () => {
    const faults: string[] = [];
    for (const { visit, key, place } of open.splice(0)) {
      faults.push(...(await visit.close()));
      if (!(await place.site.reset())) await leave(key, place);
    }
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    for (const [key, place] of places) await leave(key, place);
    for (const browser of browsers.values()) await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return async ({ sentence = 'Open the door.', silence = 3, audio: script, isRefused = false, environment, ...options } = {}) => {
    const browser = await browserFor(sentence, silence);
    const { key, place } = await placeFor(environment);
    const asked: AudioAsked[] = [];
    place.answer = (one) => {
      asked.push(one);
      return script?.(one) ?? { body: { text: 'Open the door.', usage: { cost: 0.001 } } };
    };
    const visit = await openVisit(browser, { ...options, context: { ...options.context, ...(isRefused ? {} : { permissions: ['microphone'] }) } }, place.site);
    open.push({ visit, key, place });
    return Object.assign(visit, { asked });
  };
}
