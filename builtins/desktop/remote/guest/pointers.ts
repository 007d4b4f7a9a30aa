// Handles touch and mouse events on the image: recognises gestures, and converts them to inputs for the host or changes of the local view.
import { createGestures, type Gesture } from './gestures.ts';
import { modifiersOf } from './hardware-keys.ts';
import type { Input } from './input-queue.ts';
import { movePointer } from './trackpad.ts';
import type { Camera } from './camera.ts';
import type { Point } from './viewport.ts';

type Button = Extract<Input, { readonly button: string }>['button'];

export interface PointerParts {
  readonly stage: HTMLElement;
  readonly camera: Camera;
  /** Returns whether actions are sent to the host instead of only changing the view. */
  readonly steers: () => boolean;
  readonly isTrackpad: () => boolean;
  readonly send: (input: Input) => void;
  /** Called when the user taps without permission to control. */
  readonly onAsk: () => void;
  /** Called with the position of the trackpad's pointer. */
  readonly onPointer: (at: Point, isPressed: boolean) => void;
}

const buttons: readonly Button[] = ['left', 'middle', 'right'];
const secondClickMs = 450;

export function watchPointers({ stage, camera, steers, isTrackpad, send, onAsk, onPointer }: PointerParts): void {
  let pointer: Point = { x: 0.5, y: 0.5 };
  let isPressed = false;
  let movedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let click = { count: 0, at: 0, x: 0, y: 0 };

  const gestures = createGestures(act, () => ({ waitsForSecond: !(isTrackpad() && steers()) }));

  function press(at: Point, button: Button, modifiers = 0): void {
    send({ type: 'move', ...at, button: 'none', clickCount: 0, modifiers });
    send({ type: 'down', ...at, button, clickCount: 1, modifiers });
    send({ type: 'up', ...at, button, clickCount: 1, modifiers });
  }

  function act(gesture: Gesture): void {
    if (gesture.type === 'double-tap' && !(steers() && isTrackpad())) camera.zoomToBlock(gesture);
    else if (gesture.type === 'pinch') pinch(gesture);
    else if (!steers()) look(gesture);
    else if (isTrackpad()) onTrackpad(gesture);
    else onPicture(gesture);
  }

  function look(gesture: Gesture): void {
    if (gesture.type === 'tap') onAsk();
    if (gesture.type === 'drag') camera.pan({ x: gesture.dx, y: gesture.dy });
  }

  function pinch({ x, y, dx, dy, factor }: Extract<Gesture, { type: 'pinch' }>): void {
    // Two fingers at a constant distance scroll the content under the pointer.
    if (steers() && isTrackpad() && Math.abs(factor - 1) < 0.01) send({ type: 'wheel', ...pointer, ...scrollBy(dx, dy) });
    else {
      camera.zoom({ x, y }, factor);
      camera.pan({ x: dx, y: dy });
    }
  }

  function onPicture(gesture: Gesture): void {
    if (!('x' in gesture)) return;
    const at = camera.toPicture(gesture);
    if (!at) return;
    if (gesture.type === 'tap') press(at, 'left');
    if (gesture.type === 'long-press') press(at, 'right');
    if (gesture.type === 'drag') send({ type: 'wheel', ...at, ...scrollBy(gesture.dx, gesture.dy) });
  }

  function onTrackpad(gesture: Gesture): void {
    if (gesture.type === 'tap') press(pointer, 'left');
    if (gesture.type === 'two-finger-tap') press(pointer, 'right');
    if (gesture.type === 'long-press') hold(true);
    if (gesture.type === 'held-end') hold(false);
    if (gesture.type !== 'drag' && gesture.type !== 'held-drag') return;
    const now = performance.now();
    pointer = movePointer(pointer, { x: gesture.dx, y: gesture.dy }, Math.min(50, now - movedAt), camera.shownSize());
    movedAt = now;
    send({ type: 'move', ...pointer, button: isPressed ? 'left' : 'none', clickCount: 0, modifiers: 0 });
    camera.reveal({ ...pointer, width: 0, height: 0 });
    onPointer(pointer, isPressed);
  }

  function hold(isDown: boolean): void {
    isPressed = isDown;
    send({ type: isDown ? 'down' : 'up', ...pointer, button: 'left', clickCount: 1, modifiers: 0 });
    onPointer(pointer, isPressed);
  }

  /** Scrolls the page by the distance that the finger moved. */
  function scrollBy(dx: number, dy: number): { readonly dx: number; readonly dy: number } {
    const { scale } = camera.view();
    const limit = (value: number): number => Math.max(-5_000, Math.min(5_000, -value / scale));
    return { dx: limit(dx), dy: limit(dy) };
  }

  const placeOf = (event: MouseEvent): Point => {
    const { left, top } = stage.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  function wait(): void {
    clearTimeout(timer);
    const at = gestures.nextAt();
    if (at === undefined) return;
    timer = setTimeout(
      () => {
        gestures.tick(performance.now());
        wait();
      },
      Math.max(0, at - performance.now()),
    );
  }

  function mouse(type: 'move' | 'down' | 'up', event: PointerEvent): void {
    if (type === 'down' && !steers()) onAsk();
    const at = steers() ? camera.toPicture(placeOf(event)) : undefined;
    if (!at) return;
    const now = performance.now();
    if (type === 'down') {
      const isSame = now - click.at < secondClickMs && Math.hypot(event.clientX - click.x, event.clientY - click.y) < 5;
      click = { count: isSame ? Math.min(3, click.count + 1) : 1, at: now, x: event.clientX, y: event.clientY };
    }
    const held = ([1, 4, 2] as const).findIndex((bit) => (event.buttons & bit) !== 0);
    const button = type === 'move' ? (buttons[held] ?? 'none') : (buttons[event.button] ?? 'left');
    send({ type, ...at, button, clickCount: type === 'move' ? 0 : click.count, modifiers: modifiersOf(event) });
  }

  const handle = (type: 'down' | 'move' | 'up') => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') mouse(type, event);
    else gestures[type](event.pointerId, placeOf(event), performance.now());
    if (type === 'down') stage.setPointerCapture(event.pointerId);
    wait();
  };
  stage.addEventListener('pointerdown', handle('down'));
  stage.addEventListener('pointermove', handle('move'));
  stage.addEventListener('pointerup', handle('up'));
  stage.addEventListener('pointercancel', () => {
    gestures.cancel();
    wait();
  });
  stage.addEventListener('contextmenu', (event) => event.preventDefault());
  stage.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.ctrlKey) return camera.zoom(placeOf(event), Math.exp(-event.deltaY / 300));
      if (!steers()) return camera.pan({ x: -event.deltaX * lines, y: -event.deltaY * lines });
      const at = camera.toPicture(placeOf(event));
      if (at) send({ type: 'wheel', ...at, dx: event.deltaX * lines, dy: event.deltaY * lines });
    },
    { passive: false },
  );
}
