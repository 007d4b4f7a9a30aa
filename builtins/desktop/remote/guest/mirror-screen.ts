// Renders the host's window on this device: picture, status and controls.
import { splitText } from '#lib/text';
import { maxTypedText } from '../guest-protocol.ts';
import { createCamera } from './camera.ts';
import { button, element, setText } from './elements.ts';
import { createHeldKeys, modifiersOf } from './hardware-keys.ts';
import { createInputQueue, type Input } from './input-queue.ts';
import { createKeyBar } from './key-bar.ts';
import { statusOf } from './link-state.ts';
import { createPainter } from './painter.ts';
import { watchPointers } from './pointers.ts';
import { createSession } from './session.ts';
import type { GuestTransport, Joined } from './transport.ts';
import { followKeyboard } from './visible-area.ts';
import type { HostMessage, RefusedReason } from '../guest-protocol.ts';
import type { Rect } from './viewport.ts';

const words: Readonly<Record<RefusedReason, string>> = {
  protected: 'The host does not allow viewers to use approvals, settings and similar controls.',
  rate: 'Too many inputs at once; some were dropped.',
  stale: 'The page has changed since this picture. Your input was not used; try again.',
  role: 'You can only watch.',
  waiting: 'The host has not allowed you to control yet.',
};

function refusalText(reason: RefusedReason): string {
  return words[reason] ?? 'The host refused the input.';
}

interface MirrorParts {
  readonly way: GuestTransport;
  readonly joined: Joined;
  /** Called to return to the join screen, with the reason. */
  readonly onLeave: (notice: string) => void;
}

const noticeMs = 7_000;
const viewAfterMs = 250;
/** Scale below which text is hard to read. */
const smallPart = 0.6;
const smallText = 'Small text? Pinch to zoom. A phone that is paired with the host shows the chats themselves, in text of its own size.';

export function showMirror(root: HTMLElement, { way, joined, onLeave }: MirrorParts): void {
  const isControl = joined.role === 'control';
  const gone = new AbortController();
  const canvas = element('canvas', { class: 'picture', width: '1', height: '1', role: 'img', 'aria-label': 'The window of the host' });
  const pointer = element('div', { class: 'pointer', hidden: true, 'aria-hidden': 'true' });
  const veilText = element('p', { class: 'veil-text' });
  const restore = button('Restore the window', { class: 'button primary', hidden: true }, () => void session.input({ type: 'restore' }));
  const leaveButton = button('Enter a code', { class: 'button primary', hidden: true }, () => leave('Ask the host for a new code.'));
  const askButton = button('Request control', { class: 'button primary', hidden: true }, ask);
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
  const whole = button('Whole', { class: 'button small', 'aria-label': 'Show the whole window' }, () => camera.fit());
  const trackpad = button('Trackpad', { class: 'button small', 'aria-pressed': 'false' }, () => setTrackpad(!isTrackpad));
  const tools = [whole, ...(isControl ? [trackpad] : []), button('Leave', { class: 'button small' }, () => leave('You left.'))];
  const head = element('header', { class: 'head' }, element('p', { class: 'status' }, dot, title, age), element('div', { class: 'tools' }, ...tools), detail);
  const notice = element('p', { class: 'notice-line', role: 'status' });
  const queue = createInputQueue();
  const held = createHeldKeys();
  const sentTexts = new Map<number, string>();
  let isTrackpad = false;
  let isFirst = true;
  let hasAsked = false;
  let focusRect: Rect | undefined;
  let frame = 0;
  let noticeTimer: ReturnType<typeof setTimeout> | undefined;
  let viewTimer: ReturnType<typeof setTimeout> | undefined;
  let pointerAt = { x: 0.5, y: 0.5 };

  const camera = createCamera(stage, canvas, onView);
  const session = createSession({
    connect: () => way.connect(joined),
    expiresAt: joined.expiresAt,
    onFrame: (header, jpeg) => painter.show(header, jpeg),
    onMessage,
    onChange: show,
    onOver: () => way.forget(),
  });
  const painter = createPainter(canvas, {
    onTaken: (header) => session.taken(header),
    onPainted(header) {
      camera.setPicture({ width: header.cssWidth, height: header.cssHeight });
      session.painted(header);
      if (isFirst && camera.shownSize().width < header.cssWidth * smallPart) announce(smallText);
      isFirst = false;
    },
  });
  const bar = createKeyBar({ send: now, onSent: remember, onFocus: () => focusRect && camera.reveal(focusRect), tell: announce });
  const words = isControl ? way.words?.() : undefined;
  const compare =
    words === undefined
      ? undefined
      : element('p', { class: 'compare' }, 'The host sees these words, too. Read them out before it allows control:', element('strong', {}, words));
  const foot = isControl ? [...(compare ? [compare] : []), element('div', { class: 'ask' }, askButton), bar.element] : [];
  const app = element('main', { class: 'mirror', 'data-role': joined.role }, head, screen, notice, ...foot);
  root.replaceChildren(app);
  followKeyboard(app, gone.signal, () => bar.isTyping() && focusRect && camera.reveal(focusRect));
  watchPointers({ stage, camera, send: soon, steers, isTrackpad: () => isTrackpad, onAsk: ask, onPointer: showPointer });
  watchPage();
  onView();
  show();

  /** Requests control; a guest's first action has no other effect. */
  function ask(): void {
    const { mayControl, phase } = session.facts();
    if (!isControl || mayControl || hasAsked || phase !== 'open') return;
    hasAsked = session.input({ type: 'wheel', x: 0.5, y: 0.5, dx: 0, dy: 0 }) !== undefined;
    show();
  }

  function steers(): boolean {
    const facts = session.facts();
    // A picture that is not live must not receive clicks.
    return isControl && facts.mayControl && statusOf(facts, Date.now()).tone === 'live';
  }

  /** Queues an input for the next animation frame. */
  function soon(input: Input): void {
    queue.add(input);
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      flush();
    });
  }

  function flush(): void {
    for (const input of queue.take()) session.input(input);
  }

  /** Sends an input at once, after all queued ones. */
  function now(input: Input): number | undefined {
    flush();
    return session.input(input);
  }

  function remember(text: string, inputs: readonly number[]): void {
    if (sentTexts.size > 20) sentTexts.clear();
    for (const input of inputs) sentTexts.set(input, text);
  }

  function onMessage(message: HostMessage): void {
    if (message.type === 'refused') {
      // The request for control handles this reason.
      if (message.reason === 'waiting') return;
      if (message.reason === 'role') hasAsked = true;
      const text = sentTexts.get(message.input);
      if (text !== undefined) bar.giveBack(text);
      announce(refusalText(message.reason) + (text === undefined ? '' : ' Your text is back in the field.'));
    }
    if (message.type === 'focus') {
      focusRect = message.editable ? message.rect : undefined;
      camera.setBlock(message.rect);
      if (focusRect && bar.isTyping()) camera.reveal(focusRect);
    }
  }

  function onView(): void {
    placePointer();
    clearTimeout(viewTimer);
    viewTimer = setTimeout(() => {
      const { width, height } = camera.shownSize();
      session.view(Math.min(10_000, Math.max(1, width)), Math.min(10_000, Math.max(1, height)), Math.min(8, Math.max(0.25, devicePixelRatio)));
    }, viewAfterMs);
  }

  function show(): void {
    const facts = session.facts();
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
    placePointer();
  }

  function announce(text: string): void {
    setText(notice, text);
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => setText(notice, ''), noticeMs);
  }

  function setTrackpad(isOn: boolean): void {
    isTrackpad = isOn;
    trackpad.setAttribute('aria-pressed', String(isOn));
    announce(
      isOn
        ? 'Trackpad: move with one finger, tap to click, hold to drag, two fingers scroll, tap with two for a right click.'
        : 'Touch: tap to click, hold for a right click.',
    );
    placePointer();
  }

  function showPointer(at: { readonly x: number; readonly y: number }, isPressed: boolean): void {
    pointerAt = at;
    pointer.dataset['pressed'] = String(isPressed);
    placePointer();
  }

  function placePointer(): void {
    pointer.hidden = !(isTrackpad && steers());
    const { x, y } = camera.toStage(pointerAt);
    pointer.style.transform = `translate(${x}px, ${y}px)`;
  }

  function letGo(): void {
    flush();
    if (held.letGo() && steers()) session.input({ type: 'release' });
  }

  function watchPage(): void {
    const { signal } = gone;
    const onKey = (isDown: boolean) => (event: KeyboardEvent) => {
      // Tab leaves the picture, as in any page; a button sends the Tab key.
      if (document.activeElement !== stage || !steers() || event.key === 'Tab' || !held.take(event, isDown)) return;
      event.preventDefault();
      now({ type: 'key', key: event.key, code: event.code, modifiers: modifiersOf(event), down: isDown });
    };
    stage.addEventListener('keydown', onKey(true));
    stage.addEventListener('keyup', onKey(false));
    stage.addEventListener('blur', letGo);
    document.addEventListener(
      'paste',
      (event) => {
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (document.activeElement !== stage || !steers() || text === '') return;
        event.preventDefault();
        remember(
          text,
          splitText(text, maxTypedText).flatMap((piece) => now({ type: 'text', text: piece }) ?? []),
        );
      },
      { signal },
    );
    addEventListener('blur', letGo, { signal });
    addEventListener('online', () => session.wake(), { signal });
    addEventListener('pageshow', () => session.wake(), { signal });
    document.addEventListener('visibilitychange', () => (document.hidden ? letGo() : session.wake()), { signal });
  }

  function leave(why: string): void {
    gone.abort();
    session.leave();
    way.forget();
    clearTimeout(viewTimer);
    onLeave(why);
  }
}
