// Measures page performance with the browser's metrics: time to interactive, and load while an answer streams.
import type { CDPSession, Page } from 'playwright-core';
import type { ScriptedReply } from '../../helpers/scripted-model.ts';

export interface StartFigures {
  readonly interactive: number;
  readonly firstPaint: number;
  /** Transferred bytes of all loaded files, compressed. */
  readonly bytes: number;
  readonly files: number;
}

export interface StreamFigures {
  readonly seconds: number;
  readonly longestTask: number;
  readonly longTasks: number;
  /** Share of the time spent in tasks longer than 50 ms. */
  readonly blockedShare: number;
  /** Main thread time in seconds, in the first and in the last third. */
  readonly firstThird: number;
  readonly lastThird: number;
  /** Live heap in bytes after a garbage collection, after the first third and at the end. */
  readonly heapEarly: number;
  readonly heapLate: number;
}

interface Noted {
  readyAt: number;
  tasks: { start: number; duration: number }[];
}

/** Call it before the page is opened. */
export async function noteFigures(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: Noted = { readyAt: 0, tasks: [] };
    Object.assign(window, { noted });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) noted.tasks.push({ start: startTime, duration });
    }).observe({ type: 'longtask', buffered: true });
    // Does not depend on frames: a busy machine draws few, and loads deferred files meanwhile.
    const watch = new MutationObserver(() => {
      const field = document.querySelector<HTMLTextAreaElement>('textarea, [contenteditable="true"]');
      if (!field || field.disabled) return;
      noted.readyAt = performance.now();
      watch.disconnect();
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
  });
}

export async function readStartFigures(page: Page): Promise<StartFigures> {
  await page.waitForFunction(() => (window as unknown as { noted: Noted }).noted.readyAt > 0);
  return page.evaluate(() => {
    const { noted } = window as unknown as { noted: Noted };
    const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] as PerformanceResourceTiming[];
    const early = loaded.filter((one) => one.startTime < noted.readyAt && !new URL(one.name).pathname.startsWith('/api/'));
    const busyUntil = Math.max(0, ...noted.tasks.map(({ start, duration }) => start + duration));
    return {
      interactive: Math.max(noted.readyAt, busyUntil),
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      bytes: early.reduce((sum, one) => sum + one.encodedBodySize, 0),
      files: early.length,
    };
  });
}

const words = 'The quick brown fox jumps over the lazy dog while **nobody** looks at `what it does` today. ';

/** A typical model answer of paragraphs, lists and code, in that many deltas. */
export function streamedReply(deltas: number, delayMs: number): ScriptedReply {
  const text = Array.from({ length: deltas }, (_, index) => {
    const place = index % 100;
    if (place === 99) return '\n```\n\n';
    if (place === 60) return '\n\n```ts\n';
    if (place > 60) return `const value${index} = compute(${index}); // ${index}\n`;
    if (place % 20 === 19) return '\n\n';
    const at = (index * 13) % (words.length - 13);
    return words.slice(at, at + 13);
  });
  return { text, delayMs };
}

export async function measureStream(page: Page, durationMs: number): Promise<StreamFigures> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const third = durationMs / 3;
  const now = (): Promise<number> => page.evaluate(() => performance.now());
  const heaps: number[] = [];
  const busy: number[] = [];
  const tasks: number[] = [];
  for (let round = 0; round < 3; round++) {
    const [from, before] = [await now(), await busySeconds(session)];
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), third);
    const until = await now();
    busy.push((await busySeconds(session)) - before);
    tasks.push(...(await page.evaluate(tasksBetween, { from, until })));
    // Outside the measured time, because the collection is a long task itself.
    heaps.push(await liveBytes(session));
  }
  await session.detach();
  return {
    seconds: durationMs / 1000,
    longestTask: Math.max(0, ...tasks),
    longTasks: tasks.length,
    blockedShare: tasks.reduce((sum, duration) => sum + duration, 0) / durationMs,
    firstThird: busy[0] ?? 0,
    lastThird: busy[2] ?? 0,
    heapEarly: heaps[0] ?? 0,
    heapLate: heaps[2] ?? 0,
  };
}

function tasksBetween({ from, until }: { readonly from: number; readonly until: number }): number[] {
  return (window as unknown as { noted: Noted }).noted.tasks.filter(({ start }) => start >= from && start < until).map(({ duration }) => duration);
}

async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** Live script heap in bytes after a garbage collection. */
export async function readHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    return await liveBytes(session);
  } finally {
    await session.detach();
  }
}

async function liveBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
