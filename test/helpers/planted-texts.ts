// Plants random texts at both ends of a relayed session and searches the relaying nodes for them.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { textsInFolder, textsInMemory } from './process-memory.ts';
import type { ReadingGuest, ScriptedHost } from './relay.ts';

export const markBeginning = 'planted-mark-';

export const makeMarks = (count: number): string[] => Array.from({ length: count }, () => markBeginning + randomBytes(9).toString('hex'));

export interface Planted {
  /** Shown in a frame of the remote viewer. Only the newest of several pending frames is sent. */
  readonly shown: readonly string[];
  readonly typed: readonly string[];
}

/** The host shows every second text, at the viewer's pace, and the viewer types the others. Resolves when the host has received all typed texts. */
export async function plantMarks(host: ScriptedHost, guest: ReadingGuest, marks: readonly string[]): Promise<Planted> {
  const [shown, typed] = [marks.filter((_, at) => at % 2 === 0), marks.filter((_, at) => at % 2 === 1)];
  const inRound = 20;
  for (let at = 0; at < shown.length; at += inRound) {
    const round = shown.slice(at, at + inRound);
    host.show(round.join(' '));
    for (const [more, text] of typed.slice(at, at + inRound).entries())
      guest.send(JSON.stringify({ v: 1, type: 'text', n: 100_000 + at + more, seq: 1, geometry: 1, text }));
    await guest.until(({ frames }) => frames.at(-1)?.text.includes(round.at(-1) ?? '') === true);
  }
  const said = (): string => host.guests.flatMap((one) => one.said).join(' ');
  // Waits as long as new text arrives, however slow the machine is.
  for (let [left, before] = [300, 0]; left > 0 && !said().includes(typed.at(-1) ?? ''); left--) {
    await delay(100);
    if (said().length > before) [left, before] = [300, said().length];
  }
  const [frames, texts] = [guest.frames.map(({ text }) => text).join(' '), said()];
  return { shown: shown.filter((mark) => frames.includes(mark)), typed: typed.filter((mark) => texts.includes(mark)) };
}

export interface LookedAt {
  readonly pid: number;
  readonly home: string;
  readonly output: string;
}

/** Returns the texts found in the node's memory (Linux), home folder or output. */
export async function marksIn({ pid, home, output }: LookedAt, marks: readonly string[]): Promise<string[]> {
  const written = marks.filter((mark) => output.includes(mark));
  return [...new Set([...(await textsInMemory(pid, markBeginning, marks)), ...(await textsInFolder(home, marks)), ...written])];
}
