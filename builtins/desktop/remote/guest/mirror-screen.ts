// Connects the mirrored window with the host: shows pictures and sends the inputs of this device.
import { splitText } from '#lib/text';
import { maxTypedText } from '../guest-protocol.ts';
import { createCamera } from './camera.ts';
import { watchKeys } from './hardware-keys.ts';
import { createMirrorView } from './mirror-view.ts';
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

const viewAfterMs = 250;
/** Scale below which text is hard to read. */
const smallPart = 0.6;
const smallText = 'Small text? Pinch to zoom. A phone that is paired with the host shows the chats themselves, in text of its own size.';

export function showMirror(root: HTMLElement, { way, joined, onLeave }: MirrorParts): void {
  const isControl = joined.role === 'control';
  const gone = new AbortController();
  const queue = createInputQueue();
  const sentTexts = new Map<number, string>();
  let isTrackpad = false;
  let isFirst = true;
  let hasAsked = false;
  let focusRect: Rect | undefined;
  let frame = 0;
  let viewTimer: ReturnType<typeof setTimeout> | undefined;
  let pointerAt = { x: 0.5, y: 0.5 };

  const bar = createKeyBar({ send: now, onSent: remember, onFocus: () => focusRect && camera.reveal(focusRect), tell: (text) => announce(text) });
  const view = createMirrorView({
    ...{ isControl, bar, words: isControl ? way.words?.() : undefined },
    onRestore: () => void session.input({ type: 'restore' }),
    onFit: () => camera.fit(),
    onAsk: ask,
    onTrackpad: () => setTrackpad(!isTrackpad),
    onLeave: leave,
  });
  const { stage, canvas, pointer, trackpad, announce } = view;
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
  root.replaceChildren(view.app);
  followKeyboard(view.app, gone.signal, () => bar.isTyping() && focusRect && camera.reveal(focusRect));
  watchPointers({ stage, camera, send: soon, steers, isTrackpad: () => isTrackpad, onAsk: ask, onPointer: showPointer });
  watchKeys({ stage, signal: gone.signal, steers, flush, send: now, sendText });
  const wake = (): void => session.wake();
  addEventListener('online', wake, { signal: gone.signal });
  addEventListener('pageshow', wake, { signal: gone.signal });
  document.addEventListener('visibilitychange', () => document.hidden || wake(), { signal: gone.signal });
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

  function sendText(text: string): void {
    remember(
      text,
      splitText(text, maxTypedText).flatMap((piece) => now({ type: 'text', text: piece }) ?? []),
    );
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

  function show(): void {
    view.show(session.facts(), hasAsked);
    placePointer();
  }

  function onView(): void {
    placePointer();
    clearTimeout(viewTimer);
    viewTimer = setTimeout(() => {
      const { width, height } = camera.shownSize();
      session.view(Math.min(10_000, Math.max(1, width)), Math.min(10_000, Math.max(1, height)), Math.min(8, Math.max(0.25, devicePixelRatio)));
    }, viewAfterMs);
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

  function leave(why: string): void {
    gone.abort();
    session.leave();
    way.forget();
    clearTimeout(viewTimer);
    onLeave(why);
  }
}
