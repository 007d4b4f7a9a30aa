// Shared helpers of the persona browser tests: a model script that writes a persona, and contrast measurements of the page.
import type { Page } from 'playwright-core';
import type { Script, ScriptedReply } from '../../helpers/scripted-model.ts';

export const profile = {
  label: 'Old Kea',
  name: 'Kea',
  summary: 'A warm librarian who loves old books.',
  traits: ['warm', 'curious'],
  verbosity: 'brief',
  humor: 'light',
  formality: 'casual',
  language: '',
  address: '',
};
export const soul = {
  rails: 'You never joke in warnings.',
  identity: 'You are Kea, who keeps the old books.',
  voice: 'Two sentences at most.',
  stance: 'You say where you read it.',
};

export function writesPersona(until?: Promise<unknown>): Script {
  return ({ body }): ScriptedReply => {
    const system = String(body.messages[0]?.content);
    if (system.includes('describes their assistant')) return { text: JSON.stringify(profile) };
    if (!system.includes('You write the persona')) return { text: 'Good evening, I am Kea.' };
    const whole = JSON.stringify(soul);
    const at = whole.indexOf('who keeps');
    return until ? { text: [whole.slice(0, at), whole.slice(at)], stallAfter: 1, until } : { text: whole };
  };
}

export const rgbOf = (hex: string): string => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

export const groundOf = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/** Measures all visible text: the number of text nodes, and those whose contrast with their background is too low. */
export function measureText(page: Page): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1);
    const paint = canvas.getContext('2d', { willReadFrequently: true });
    if (!paint) throw new Error('nothing to paint on');
    /** Composites the colours in order and returns the resulting RGB values. */
    const shown = (colours: readonly string[]): readonly number[] => {
      paint.clearRect(0, 0, 1, 1);
      for (const colour of colours) {
        paint.fillStyle = colour;
        paint.fillRect(0, 0, 1, 1);
      }
      return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (parts: readonly number[]): number => {
      const [red = 0, green = 0, blue = 0] = parts.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const faults: string[] = [];
    let count = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || node.textContent?.trim() === '' || element.closest('[disabled], [aria-disabled="true"], script, style, noscript')) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const behind: string[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
      const style = getComputedStyle(element);
      const [one, other] = [luminance(shown(['white', ...behind])), luminance(shown(['white', ...behind, style.color]))];
      const ratio = Math.max(one, other) / Math.min(one, other);
      count += 1;
      const isLarge = Number.parseFloat(style.fontSize) >= 24;
      if (ratio < (isLarge ? 3 : 4.5)) faults.push(`${ratio.toFixed(2)} ${element.className} ${node.textContent?.slice(0, 40)}`);
    }
    return { count, faults };
  });
}
