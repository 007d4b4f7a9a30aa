import { common, createLowlight } from 'lowlight';
import { expect, it, onTestFinished, vi } from 'vitest';
import { flattenTokens, toChunks } from '../../../../builtins/clients/web-ui/app/kit/code/flatten-tokens.ts';
import { createHighlighter, type HighlightRequest, type WorkerPort } from '../../../../builtins/clients/web-ui/app/kit/code/highlighter.ts';

const lowlight = createLowlight(common);
const code = "// sum\nconst total = `a ${1 + 2} b`;\nreturn 'x';\n";
const runs = flattenTokens(lowlight.highlight('typescript', code));

it('preserves every character of the code', () => {
  const spans = toChunks(code, runs, []).flatMap((chunk) => chunk.spans);
  expect(spans.map((span) => span.text).join('')).toBe(code);
  expect(spans).toContainEqual({ text: '// sum', kind: 'comment' });
  expect(spans).toContainEqual({ text: 'const', kind: 'keyword' });
  expect(spans).toContainEqual({ text: "'x'", kind: 'string' });
});

it('leaves text added after highlighting plain', () => {
  const longer = `${code}const more = 1;`;
  const spans = toChunks(longer, runs, []).flatMap((chunk) => chunk.spans);
  expect(spans.at(-1)).toEqual({ text: 'const more = 1;', kind: '' });
});

it('reuses chunks whose lines did not change', () => {
  const long = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const before = toChunks(long, undefined, []);
  const after = toChunks(`${long}, more`, undefined, before);
  expect(before).toHaveLength(3);
  expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, true, false]);
  expect(after.map((chunk) => chunk.text).join('')).toBe(`${long}, more`);
});

function fakeWorker() {
  const requests: HighlightRequest[] = [];
  const port: WorkerPort = { onmessage: null, postMessage: (request) => void requests.push(request), terminate: vi.fn() };
  const answer = (id: number, found?: typeof runs): void => port.onmessage?.({ data: { id, ...(found ? { runs: found } : {}) } } as MessageEvent);
  return { port, requests, answer };
}

it('sends requests one at a time and caches results', async () => {
  const worker = fakeWorker();
  const highlighter = createHighlighter(() => worker.port);
  const first = highlighter.ask('ts', 'a');
  const second = highlighter.ask('ts', 'b');
  expect(worker.requests.map((request) => request.text)).toEqual(['a']);
  worker.answer(worker.requests[0]?.id ?? 0, runs);
  expect(await first).toBe(runs);
  expect(highlighter.peek('ts', 'a')).toBe(runs);
  expect(worker.requests.map((request) => request.text)).toEqual(['a', 'b']);
  worker.answer(worker.requests[1]?.id ?? 0);
  expect(await second).toBeUndefined();
  expect(await highlighter.ask('ts', 'a')).toBe(runs);
  expect(worker.requests).toHaveLength(2);
});

it('terminates an unresponsive worker and continues with a new one', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const workers = [fakeWorker(), fakeWorker()];
  let made = 0;
  const highlighter = createHighlighter(() => (workers[made++] ?? fakeWorker()).port);
  const stuck = highlighter.ask('ts', 'evil');
  const next = highlighter.ask('ts', 'good');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await stuck).toBeUndefined();
  expect(workers[0]?.port.terminate).toHaveBeenCalled();
  workers[1]?.answer(workers[1].requests[0]?.id ?? 0, runs);
  expect(await next).toBe(runs);
});

it('skips text without a language and overlong text', async () => {
  const highlighter = createHighlighter(() => {
    throw new Error('no worker is needed');
  });
  expect(await highlighter.ask('', 'a')).toBeUndefined();
  expect(await highlighter.ask('ts', 'a'.repeat(300_000))).toBeUndefined();
});
