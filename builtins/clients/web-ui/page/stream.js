// The event stream over fetch, so that the token stays out of the address. Comes back by itself where it left off.
import { authHeaders, withQuery } from './api.js';

const firstWaitMs = 500;
const longestWaitMs = 10_000;
/** The server sends at least a comment every 15 s. */
const silenceMs = 45_000;

/**
 * @param {{ onEvent(event: any): void, onState(state: 'open' | 'lost' | 'refused'): void }} reader
 * @returns {{ restart(): void }} `restart` connects anew at once, from now on
 */
export function openStream(reader) {
  let lastId = '';
  let waitMs = firstWaitMs;
  let current = new AbortController();
  let wake = () => {};

  async function connect() {
    const attempt = (current = new AbortController());
    let timer;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => attempt.abort(), silenceMs);
    };
    try {
      alive();
      const reply = await fetch(withQuery('/api/stream', { chatId: 'all' }), {
        headers: { ...authHeaders(), accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
        cache: 'no-store',
        signal: attempt.signal,
      });
      if (reply.status === 401) return reader.onState('refused');
      if (!reply.ok || !reply.body) return reader.onState('lost');
      waitMs = firstWaitMs;
      reader.onState('open');
      await readFrames(reply.body, alive, take);
    } catch {
      // the connection broke; the loop below tries again
    } finally {
      clearTimeout(timer);
    }
    reader.onState('lost');
  }

  /** @param {{ id?: string, data: string }} frame */
  function take(frame) {
    if (frame.id !== undefined) lastId = frame.id;
    let event;
    try {
      event = JSON.parse(frame.data);
    } catch {
      return; // not one of ours
    }
    reader.onEvent(event);
  }

  async function keepOpen() {
    for (;;) {
      await connect();
      await new Promise((resolve) => {
        wake = /** @type {any} */ (resolve);
        setTimeout(resolve, waitMs * (0.75 + Math.random() / 2));
      });
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  window.addEventListener('online', () => wake());
  void keepOpen();
  return {
    restart() {
      lastId = '';
      waitMs = firstWaitMs;
      current.abort();
      wake();
    },
  };
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => void} alive called for every piece that comes in
 * @param {(frame: { id?: string, data: string }) => void} take
 */
async function readFrames(body, alive, take) {
  const decoder = new TextDecoder();
  const source = body.getReader();
  const feed = createFrameParser(take);
  for (;;) {
    const { done, value } = await source.read();
    if (done) return;
    alive();
    feed(decoder.decode(value, { stream: true }));
  }
}

/**
 * Server-sent events, as far as this server uses them: `id`, `data`, comments.
 * @param {(frame: { id?: string, data: string }) => void} take
 * @returns {(piece: string) => void}
 */
export function createFrameParser(take) {
  let rest = '';
  let id;
  let data = [];
  return (piece) => {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) take({ ...(id === undefined ? {} : { id }), data: data.join('\n') });
        id = undefined;
        data = [];
      } else if (line.startsWith('id:')) id = line.slice(3).trim();
      else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    }
  };
}
