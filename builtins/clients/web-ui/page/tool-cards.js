// One tool call as a card: what is called with what, how it goes, what came of it.
import { asText, make } from './dom.js';

const stateWords = { writing: 'being written', running: 'running', waiting: 'waits for you', ok: 'done', failed: 'failed' };
const tellingArgs = ['path', 'command', 'url', 'pattern', 'query', 'prompt', 'key', 'goal'];

/** @param {string} name */
export function createToolCard(name) {
  const brief = make('span', { className: 'brief' });
  const state = make('span', { className: 'state' });
  const args = make('pre', { className: 'args', hidden: true });
  const preview = make('pre', { className: 'preview', hidden: true });
  const progress = make('p', { className: 'progress', hidden: true });
  const output = make('pre', { className: 'output', hidden: true, tabIndex: 0 });
  const details = make('details', { className: 'tool' }, make('summary', {}, make('code', {}, name), ' ', brief, ' ', state), args, preview, progress, output);
  const element = make('li', { className: 'entry' }, details);
  let argsText = '';
  let previewText = '';
  let isOver = false;

  /** @param {keyof typeof stateWords} word */
  function setState(word) {
    details.dataset.state = word;
    state.textContent = stateWords[word];
  }
  /** @param {any} element @param {string} text */
  function show(element, text) {
    element.textContent = text;
    element.hidden = text === '';
  }
  setState('writing');

  return {
    element,
    /** The reply it belongs to. */
    messageId: '',
    isStarted: () => details.dataset.state !== 'writing',
    /** @param {unknown} value */
    begin(value) {
      argsText = asText(value);
      show(args, argsText);
      brief.textContent = briefOf(value);
      if (!isOver) setState('running');
    },
    /** @param {string} delta */
    addArgs(delta) {
      if (isOver || details.dataset.state !== 'writing') return;
      argsText += delta;
      show(args, argsText);
    },
    /** The file that the model is writing, as it grows. @param {{ path: string, offset: number, delta: string, done: boolean }} piece */
    addPreview({ path, offset, delta, done }) {
      previewText = previewText.slice(0, offset) + delta;
      brief.textContent = path;
      show(preview, done ? '' : previewText);
    },
    /** @param {string} note */
    progress(note) {
      if (!isOver) show(progress, note);
    },
    /** @param {boolean} isWaiting */
    wait(isWaiting) {
      if (!isOver) setState(isWaiting ? 'waiting' : 'running');
    },
    /** @param {{ ok: boolean, output: string, durationMs?: number, truncated?: boolean }} result */
    finish({ ok, output: text, durationMs, truncated }) {
      isOver = true;
      setState(ok ? 'ok' : 'failed');
      if (durationMs !== undefined) state.textContent += `, ${durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`}`;
      show(preview, '');
      show(progress, truncated ? 'The output is longer; the rest is kept as an artifact.' : '');
      show(output, text);
    },
  };
}

/** @param {unknown} args @returns {string} */
function briefOf(args) {
  if (typeof args !== 'object' || args === null) return '';
  const telling = tellingArgs.map((name) => /** @type {any} */ (args)[name]).find((value) => typeof value === 'string');
  return telling === undefined ? '' : telling.length > 120 ? `${telling.slice(0, 120)}…` : telling;
}
