// Sends inputs of guests to the page one after the other, and checks each immediately before its execution.
import { withLimit } from '#lib/async';
import { BoundedMap } from '#lib/values';
import type { CdpSession } from 'agent-harness/builtins/desktop/desktop-window';
import type { Stage } from '../frames/mirror.ts';
import type { GuestInput, HostMessage, RefusedReason } from '../guest-protocol.ts';
import { createHitTest, type Focus, type HitTest, type Verdict } from './hit-test.ts';
import { keyEvent, pressesFocused } from './keys.ts';
import { createPressFence } from './press-fence.ts';

export interface InputSource {
  readonly guestId: string;
  /** Returns whether the host lets the guest answer approvals and questions. */
  mayDecide(): boolean;
  refuse(input: number, reason: RefusedReason): void;
  /** Handles an executed input. @param begunAt milliseconds of this machine's clock; frames captured later may show its effect */
  done(input: number, begunAt: number): void;
  tell(message: HostMessage): void;
}

export interface Dispatcher {
  add(source: InputSource, input: GuestInput): void;
  /** Releases all keys and buttons that the guest is holding, and drops its pending inputs. */
  release(guestId: string): void;
  /** Returns the guests that pressed or typed something within the last `ms` milliseconds. */
  actedWithin(ms: number): string[];
}

export interface DispatcherParts {
  readonly stage: () => Stage | undefined;
  readonly restore: () => Promise<void>;
  /** Called when an input was accepted and the page is about to change. */
  readonly onInput: () => void;
  readonly now: () => number;
}

interface Waiting {
  readonly source: InputSource;
  input: GuestInput;
}

interface Held {
  readonly keys: Map<string, string>;
  readonly buttons: Set<'left' | 'right'>;
}

type Pointer = Extract<GuestInput, { readonly type: 'move' | 'down' | 'up' }>;

/** Maximum wait for an unresponsive page, in milliseconds. */
const limitMs = 1_000;
const maxWaiting = 120;
const maxActors = 256;
const buttonBits = { none: 0, left: 1, right: 2, middle: 4 } as const;
/** A position outside the page. */
const outside = { x: -1, y: -1 };

export function createDispatcher({ stage, restore, onInput, now }: DispatcherParts): Dispatcher {
  const waiting: Waiting[] = [];
  const held = new Map<string, Held>();
  let tests: { readonly session: CdpSession; readonly geometry: number; readonly test: HitTest } | undefined;
  let isBusy = false;
  const actedAt = new BoundedMap<string, number>(maxActors);
  const fence = createPressFence();

  const heldBy = (guestId: string): Held => {
    const known = held.get(guestId) ?? { keys: new Map(), buttons: new Set() };
    held.set(guestId, known);
    return known;
  };

  function testOf({ session, geometry }: Stage): HitTest {
    if (tests?.session !== session) tests = { session, geometry, test: createHitTest(session) };
    else if (tests.geometry !== geometry) {
      tests.test.forget();
      tests = { ...tests, geometry };
    }
    return tests.test;
  }

  const send = (session: CdpSession, method: string, params: object): Promise<unknown> =>
    withLimit(
      session.send(method, params).catch(() => undefined),
      limitMs,
      () => undefined,
    );

  /** Returns the verdict. Before an input that will be executed, activates the block on file choosers; other inputs do not activate it. */
  async function fenced({ session }: Stage, source: InputSource, { n, type }: GuestInput, judge: () => Promise<Verdict>): Promise<Verdict> {
    const verdict = await judge();
    if (verdict === 'protected' || (type === 'down' && verdict !== 'open')) return verdict;
    const state = await fence.raise(session, () => source.refuse(n, 'protected'));
    if (state === 'failed') return 'protected';
    return state === 'up' ? verdict : judge();
  }

  async function run(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) await perform(next).catch(() => undefined);
    isBusy = false;
  }

  async function perform({ source, input }: Waiting): Promise<void> {
    const begunAt = Date.now();
    if (input.type === 'restore') {
      await restore();
      source.done(input.n, begunAt);
      return;
    }
    const on = stage();
    if (!on) return source.refuse(input.n, 'stale');
    if (input.type === 'release') {
      await letGo(on.session, source.guestId);
      source.done(input.n, begunAt);
      return;
    }
    const isRelease = input.type === 'up' || (input.type === 'key' && !input.down);
    if (input.geometry !== on.geometry && !isRelease) return source.refuse(input.n, 'stale');
    const reason = await (input.type === 'key' || input.type === 'text' ? type(on, source, input) : point(on, source, input));
    if (reason) return source.refuse(input.n, reason);
    onInput();
    source.done(input.n, begunAt);
    if (input.type === 'up' || input.type === 'text' || input.type === 'key') {
      source.tell(focusMessage(await testOf(on).focus(source.mayDecide())));
    }
  }

  async function point(
    on: Stage,
    source: InputSource,
    input: Exclude<GuestInput, { type: 'key' | 'text' | 'release' | 'restore' }>,
  ): Promise<RefusedReason | undefined> {
    const at = { x: input.x * on.page.width, y: input.y * on.page.height };
    if (input.type === 'wheel') {
      if ((await testOf(on).at(input.x, input.y, false, source.mayDecide())) === 'protected') return 'protected';
      await send(on.session, 'Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: input.dx, deltaY: input.dy, modifiers: 0 });
      return undefined;
    }
    return press(on, source, input, at);
  }

  /**
   * Presses a mouse button. Ignores modifiers, because a modified click opens windows and tabs on the host. The middle button is ignored for the same reason,
   * and because it pastes.
   */
  async function press(on: Stage, source: InputSource, input: Pointer, at: { x: number; y: number }): Promise<RefusedReason | undefined> {
    const { type, x, y, button, clickCount } = input;
    const { buttons } = heldBy(source.guestId);
    const bits = (): number => [...buttons].reduce((sum, one) => sum | buttonBits[one], 0);
    if (type === 'move') {
      const [pressed = 'none'] = buttons;
      await send(on.session, 'Input.dispatchMouseEvent', { type: 'mouseMoved', ...at, button: pressed, buttons: bits() });
      return undefined;
    }
    if (button !== 'left' && button !== 'right') return 'protected';
    const judge = (): Promise<Verdict> => testOf(on).at(x, y, button === 'right', source.mayDecide());
    if (type === 'down') {
      if ((await fenced(on, source, input, judge)) !== 'open') return 'protected';
      actedAt.set(source.guestId, now());
      buttons.add(button);
      await send(on.session, 'Input.dispatchMouseEvent', { type: 'mousePressed', ...at, button, buttons: bits(), clickCount });
      return undefined;
    }
    // Skips the release of a press that did not reach the page.
    if (!buttons.delete(button)) return 'protected';
    const verdict = await fenced(on, source, input, judge);
    actedAt.set(source.guestId, now());
    const place = verdict === 'open' ? at : outside;
    await send(on.session, 'Input.dispatchMouseEvent', { type: 'mouseReleased', ...place, button, buttons: bits(), clickCount });
    return verdict === 'open' ? undefined : 'protected';
  }

  async function type(on: Stage, source: InputSource, input: Extract<GuestInput, { type: 'key' | 'text' }>): Promise<RefusedReason | undefined> {
    const { keys } = heldBy(source.guestId);
    if (input.type === 'key' && !input.down) {
      if (!keys.has(input.key)) return 'protected';
      keys.delete(input.key);
      await send(on.session, 'Input.dispatchKeyEvent', { type: 'keyUp', ...keyEvent(input.key, input.code, 0), text: undefined, modifiers: input.modifiers });
      return undefined;
    }
    const verdict = await fenced(on, source, input, async () => (await testOf(on).focus(source.mayDecide())).verdict);
    if (verdict === 'protected') return 'protected';
    if (input.type === 'text') {
      actedAt.set(source.guestId, now());
      await send(on.session, 'Input.insertText', { text: input.text });
      return undefined;
    }
    const event = keyEvent(input.key, input.code, input.modifiers);
    if (!event || (verdict === 'opener' && pressesFocused(input.key))) return 'protected';
    actedAt.set(source.guestId, now());
    keys.set(input.key, input.code);
    await send(on.session, 'Input.dispatchKeyEvent', { type: event.text === undefined ? 'rawKeyDown' : 'keyDown', ...event });
    return undefined;
  }

  async function letGo(session: CdpSession, guestId: string): Promise<void> {
    const { keys, buttons } = heldBy(guestId);
    held.delete(guestId);
    // Runs in parallel, because the session with the page may be about to end.
    await Promise.all([
      ...[...keys].map(([key, code]) => send(session, 'Input.dispatchKeyEvent', { type: 'keyUp', ...keyEvent(key, code, 0), text: undefined })),
      ...[...buttons].map((button) => send(session, 'Input.dispatchMouseEvent', { type: 'mouseReleased', ...outside, button, buttons: 0, clickCount: 1 })),
    ]);
  }

  return {
    actedWithin: (ms) => [...actedAt].filter(([, at]) => now() - at < ms).map(([guestId]) => guestId),
    add(source, input) {
      const last = waiting.at(-1);
      const merged = last?.source === source ? merge(last.input, input) : undefined;
      if (last && merged) last.input = merged;
      else if (waiting.length >= maxWaiting) source.refuse(input.n, 'rate');
      else waiting.push({ source, input });
      void run();
    },
    release(guestId) {
      for (let at = waiting.length - 1; at >= 0; at--) if (waiting[at]?.source.guestId === guestId) waiting.splice(at, 1);
      const on = stage();
      if (on && held.has(guestId)) void letGo(on.session, guestId);
      held.delete(guestId);
    },
  };
}

/** Merges pending moves and wheel events, but not across a press or a change of the wheel's direction. */
export function merge(first: GuestInput, second: GuestInput): GuestInput | undefined {
  if (first.type === 'move' && second.type === 'move') return second;
  if (first.type !== 'wheel' || second.type !== 'wheel' || first.geometry !== second.geometry) return undefined;
  const turnsBack = first.dx * second.dx < 0 || first.dy * second.dy < 0;
  return turnsBack ? undefined : { ...second, dx: first.dx + second.dx, dy: first.dy + second.dy };
}

function focusMessage({ isEditable, rect, verdict }: Focus): HostMessage {
  return { type: 'focus', editable: isEditable && verdict !== 'protected', ...(rect && isEditable ? { rect } : {}) };
}
