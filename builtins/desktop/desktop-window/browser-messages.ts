// Extracts the relevant messages from the output of a browser that ended, without harmless messages about missing buses, drivers and services.
import { oneLine } from '#lib/text';

/** Prefix of Chromium's log lines: `[123:456:1123/045605.123456:ERROR:dbus/bus.cc:406] `. */
const head = /^\[[\d:/.]+:(?<level>[A-Z]+\d*):(?<place>[^\]]*)\]\s*/;
/** Messages that state the cause; if one matches, the others are omitted. */
const reasons = /error while loading shared libraries: .*|missing x server.*|cannot open display.*|unable to open x display.*/i;
const noise =
  /d-?bus|\bgcm\b|registration_request|vaapi|libva|vulkan|angle|\begl|\bgl[x_ ]|gpu|mesa|dri[23]?\b|upower|networkmanager|portal|pulse|alsa|gtk-|glib|fontconfig|devtools listening|shared memory|sync_file|machine-id|accessibility bus/i;
const mostLines = 3;
const mostChars = 600;

/** Returns the relevant messages; `undefined` if there are none. */
export function relevantMessages(words: string): string | undefined {
  const lines = words.split('\n').flatMap((line) => {
    const { level = '', place = '' } = head.exec(line)?.groups ?? {};
    const text = line.replace(head, '').trim();
    return text === '' ? [] : [{ text, isFatal: level === 'FATAL', isNoise: /^(?:INFO|WARNING|VERBOSE)/.test(level) || noise.test(`${place} ${text}`) }];
  });
  const known = lines.map(({ text }) => reasons.exec(text)?.[0]).find((reason) => reason !== undefined);
  if (known !== undefined) return oneLine(known, mostChars);
  const fatal = lines.filter(({ isFatal }) => isFatal);
  const helpful = (fatal.length > 0 ? fatal : lines.filter(({ isNoise }) => !isNoise)).slice(-mostLines);
  return helpful.length === 0 ? undefined : oneLine(helpful.map(({ text }) => text).join(' '), mostChars);
}
