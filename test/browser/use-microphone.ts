// A browser whose microphone hears a sentence that a program speaks, in a page of a server whose provider of audio follows a script.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { findBrowser, launchBrowser, missingBrowser, openVisit, type Visit, type VisitOptions } from '../helpers/browser.ts';
import { hasProgram } from '../helpers/programs-needed.ts';
import { startScriptedAudio, type AudioAnswer, type AudioAsked, type ScriptedAudio } from '../helpers/scripted-audio.ts';

export interface TalkOptions extends VisitOptions {
  /** What the microphone hears: a sentence, with silence around it; again and again. */
  readonly sentence?: string;
  /** Seconds of silence after it. */
  readonly silence?: number;
  /** What the provider answers; the text `Open the door.` for a recording when left out. */
  readonly audio?: (asked: AudioAsked) => AudioAnswer | Promise<AudioAnswer>;
  /** The browser does not let the page listen. */
  readonly isRefused?: boolean;
}

export interface Talk extends Visit {
  readonly asked: readonly AudioAsked[];
}

const programs = ['espeak-ng', 'sox'];
const missing = [...programs.filter((name) => !hasProgram(name)), ...(findBrowser() === undefined ? [missingBrowser] : [])];
/** Why tests that need it are left out; they run, and fail, where everything must run. */
export const cannotTalk = missing.length > 0 && process.env['CI'] === undefined ? `needs ${missing.join(', ')}` : undefined;

/** Answers how to open a visit; what went wrong in it unnoticed fails the test. */
export function useMicrophone(): (options?: TalkOptions) => Promise<Talk> {
  const folder = mkdtempSync(join(tmpdir(), 'microphone-'));
  const browsers = new Map<string, Browser>();
  const open: { readonly visit: Visit; readonly audio: ScriptedAudio }[] = [];

  /** A browser hears one file for as long as it lives. */
  async function browserFor(sentence: string, silence: number): Promise<Browser> {
    const key = `${sentence} ${silence}`;
    const known = browsers.get(key);
    if (known?.isConnected()) return known;
    const file = join(folder, `${browsers.size}.wav`);
    const spoken = join(folder, 'spoken.wav');
    execFileSync('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', spoken, sentence]);
    execFileSync('sox', [spoken, '-r', '48000', file, 'gain', '-3', 'pad', '0.8', String(silence)]);
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
    for (const { visit, audio } of open.splice(0)) {
      faults.push(...(await visit.close()));
      await audio.close();
    }
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    for (const browser of browsers.values()) await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return async ({ sentence = 'Please open the door and read the book.', silence = 20, audio: script, isRefused = false, ...options } = {}) => {
    const browser = await browserFor(sentence, silence);
    const audio = await startScriptedAudio(script ?? (() => ({ body: { text: 'Open the door.', usage: { cost: 0.001 } } })));
    const visit = await openVisit(browser, {
      ...options,
      environment: { AGENT_AUDIO_BASE_URL: audio.url, AGENT_SPEECH_LOCAL: '0', ...options.environment },
      context: { ...options.context, ...(isRefused ? {} : { permissions: ['microphone'] }) },
    });
    open.push({ visit, audio });
    return Object.assign(visit, { asked: audio.asked });
  };
}
