// Builds and updates the elements around the host's picture: status, tools, notices, and the overlay for a picture that is not live.
import { button, element, setText } from './elements.ts';
import type { KeyBar } from './key-bar.ts';
import { statusOf } from './link-state.ts';
import type { SessionFacts } from './session.ts';

export interface MirrorViewParts {
  readonly isControl: boolean;
  /** Words for comparison with those that the host shows; omitted if there are none. */
  readonly words: string | undefined;
  readonly bar: KeyBar;
  onRestore(): void;
  onFit(): void;
  onAsk(): void;
  onTrackpad(): void;
  onLeave(why: string): void;
}

export interface MirrorView {
  readonly app: HTMLElement;
  /** Receives the pointers and keys. */
  readonly stage: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** Pointer of the trackpad. */
  readonly pointer: HTMLElement;
  readonly trackpad: HTMLButtonElement;
  show(facts: SessionFacts, hasAsked: boolean): void;
  /** Shows a notice for some seconds. */
  announce(text: string): void;
}

const noticeMs = 7_000;

export function createMirrorView({ isControl, words, bar, ...on }: MirrorViewParts): MirrorView {
  const canvas = element('canvas', { class: 'picture', width: '1', height: '1', role: 'img', 'aria-label': 'The window of the host' });
  const pointer = element('div', { class: 'pointer', hidden: true, 'aria-hidden': 'true' });
  const veilText = element('p', { class: 'veil-text' });
  const restore = button('Restore the window', { class: 'button primary', hidden: true }, on.onRestore);
  const leaveButton = button('Enter a code', { class: 'button primary', hidden: true }, () => on.onLeave('Ask the host for a new code.'));
  const askButton = button('Request control', { class: 'button primary', hidden: true }, on.onAsk);
  const veil = element('div', { class: 'veil', hidden: true }, veilText, restore, leaveButton);
  const stage = element(
    'div',
    { class: 'stage', tabindex: '0', role: 'application', 'aria-label': isControl ? 'The window of the host. Keys go to it.' : 'The window of the host' },
    ...[canvas, pointer],
  );
  const screen = element('div', { class: 'screen' }, stage, veil);
  const dot = element('span', { class: 'dot', 'aria-hidden': 'true' });
  const title = element('strong', { role: 'status' });
  const age = element('span', { class: 'quiet', title: 'Since the last change' });
  const detail = element('p', { class: 'detail quiet' });
  const whole = button('Whole', { class: 'button small', 'aria-label': 'Show the whole window' }, on.onFit);
  const trackpad = button('Trackpad', { class: 'button small', 'aria-pressed': 'false' }, on.onTrackpad);
  const tools = [whole, ...(isControl ? [trackpad] : []), button('Leave', { class: 'button small' }, () => on.onLeave('You left.'))];
  const head = element('header', { class: 'head' }, element('p', { class: 'status' }, dot, title, age), element('div', { class: 'tools' }, ...tools), detail);
  const notice = element('p', { class: 'notice-line', role: 'status' });
  const compare =
    words === undefined
      ? undefined
      : element('p', { class: 'compare' }, 'The host sees these words, too. Read them out before it allows control:', element('strong', {}, words));
  const foot = isControl ? [...(compare ? [compare] : []), element('div', { class: 'ask' }, askButton), bar.element] : [];
  const app = element('main', { class: 'mirror', 'data-role': isControl ? 'control' : 'view' }, head, screen, notice, ...foot);
  let noticeTimer: ReturnType<typeof setTimeout> | undefined;

  function show(facts: SessionFacts, hasAsked: boolean): void {
    const status = statusOf(facts, Date.now());
    const isWaiting = isControl && !facts.mayControl && status.tone === 'live';
    app.dataset['tone'] = status.tone;
    setText(title, isWaiting ? 'Watching' : status.title);
    setText(detail, hasAsked ? 'You asked the host for control.' : 'The host must allow control first.');
    const isHidden = status.tone === 'live';
    // The overlay shows the full text.
    detail.hidden = !isWaiting;
    setText(age, status.unchanged ?? '');
    veil.hidden = isHidden;
    if (!isHidden) setText(veilText, status.text);
    restore.hidden = !(status.tone === 'old' && facts.phase === 'open' && facts.host === 'minimized' && facts.mayControl);
    leaveButton.hidden = status.tone !== 'over';
    canvas.setAttribute('aria-label', `The window of the host. ${status.text}`);
    askButton.hidden = !isWaiting || hasAsked;
    const isOver = status.tone === 'over';
    if (compare) compare.hidden = facts.mayControl || isOver;
    bar.element.hidden = !facts.mayControl || isOver;
    trackpad.hidden = !facts.mayControl || isOver;
  }

  function announce(text: string): void {
    setText(notice, text);
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => setText(notice, ''), noticeMs);
  }

  return { app, stage, canvas, pointer, trackpad, show, announce };
}
