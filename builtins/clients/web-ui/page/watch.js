// Says how the connection is, and finds out when a turn is over though its end was never heard of.
import { call } from './api.js';
import { byId } from './dom.js';

const firstStallMs = 52_000;
const laterStallMs = 240_000;
const pollMs = 5_000;
/** Idle answers in a row before the page believes that a turn is over. */
const idleSamples = 2;

const waitingWords = {
  model: 'waits for the model',
  tool: 'a tool runs',
  approval: 'waits for your approval',
  answer: 'waits for your answer',
  retry: 'waits to try the model again',
};

/**
 * @param {{ openId(): string, isBusy(): boolean, onIdle(): void, onBusy(): void, trace(text: string): void }} page
 */
export function createWatch(page) {
  const indicator = byId('connection');
  let stream = 'new';
  let isReachable = true;
  let waitingFor = '';
  let lastSign = Date.now();
  let stallMs = firstStallMs;
  let idle = 0;

  function show() {
    const busyWord = waitingWords[waitingFor] ?? 'works';
    const state = !isReachable
      ? 'OFFLINE'
      : stream === 'new' || page.openId() === ''
        ? 'CONNECTING'
        : stream === 'lost'
          ? 'DEGRADED'
          : page.isBusy()
            ? 'BUSY'
            : 'STANDBY';
    const words = { OFFLINE: 'OFFLINE', CONNECTING: 'CONNECTING', DEGRADED: 'DEGRADED', BUSY: `BUSY: ${busyWord}`, STANDBY: 'STANDBY' };
    if (indicator.textContent !== words[state]) indicator.textContent = words[state];
    indicator.dataset.state = state;
  }

  async function poll() {
    try {
      const status = await call('GET', '/api/status');
      isReachable = true;
      const chat = status.chats.find((one) => one.chatId === page.openId());
      waitingFor = chat?.waitingFor ?? '';
      idle = chat?.busy ? 0 : idle + 1;
      if (chat?.busy && !page.isBusy()) page.onBusy();
      if (page.isBusy() && idle >= idleSamples) page.onIdle();
    } catch (fault) {
      isReachable = /** @type {any} */ (fault).status !== undefined;
    }
    show();
  }

  setInterval(() => {
    if (page.isBusy() || stream !== 'open' || !isReachable) void poll();
    if (!page.isBusy() || Date.now() - lastSign < stallMs) return;
    lastSign = Date.now();
    stallMs = laterStallMs;
    page.trace(`Nothing has come from the agent for a while${waitingFor ? `: it ${waitingWords[waitingFor] ?? 'works'}` : ''}. You can wait or stop it.`);
  }, pollMs);

  return {
    show,
    /** @param {'open' | 'lost' | 'refused'} state */
    setStream(state) {
      stream = state === 'open' ? 'open' : stream === 'new' ? 'new' : 'lost';
      if (state !== 'open') void poll();
      else isReachable = true;
      show();
    },
    /** The agent did something. */
    sign() {
      lastSign = Date.now();
      stallMs = firstStallMs;
      idle = 0;
    },
    /** @param {string} word from `harness_running`; proves that the connection is warm and no more */
    setWaitingFor(word) {
      waitingFor = word;
      show();
    },
  };
}
