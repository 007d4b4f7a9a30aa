// Defines the text messages between host and guest: schemas for messages of guests, types for messages of the host.
import * as Type from 'typebox';
import { guestProtocolVersion, maxTypedText } from './guest-limits.ts';

const strict = { additionalProperties: false } as const;
const version = { v: Type.Literal(guestProtocolVersion) };
const count = Type.Integer({ minimum: 0, maximum: 0xffff_ffff });
const part = Type.Number({ minimum: 0, maximum: 1 });
const modifiers = Type.Integer({ minimum: 0, maximum: 15 });
/** Fields that all inputs share: an increasing number, and the frame and geometry that the guest saw. */
const seen = { n: count, seq: count, geometry: count };
const delta = Type.Number({ minimum: -10_000, maximum: 10_000 });
const point = { x: part, y: part };

const pointer = (type: 'move' | 'down' | 'up') =>
  Type.Object(
    {
      ...version,
      type: Type.Literal(type),
      ...seen,
      ...point,
      button: Type.Union([Type.Literal('none'), Type.Literal('left'), Type.Literal('middle'), Type.Literal('right')]),
      clickCount: Type.Integer({ minimum: 0, maximum: 3 }),
      modifiers,
    },
    strict,
  );

export const guestMessageSchemas = {
  ack: Type.Object({ ...version, type: Type.Literal('ack'), seq: count }, strict),
  ping: Type.Object({ ...version, type: Type.Literal('ping'), at: Type.Number() }, strict),
  view: Type.Object(
    {
      ...version,
      type: Type.Literal('view'),
      width: Type.Number({ minimum: 1, maximum: 10_000, description: 'CSS pixels available for the picture.' }),
      height: Type.Number({ minimum: 1, maximum: 10_000 }),
      dpr: Type.Number({ minimum: 0.25, maximum: 8 }),
    },
    strict,
  ),
  move: pointer('move'),
  down: pointer('down'),
  up: pointer('up'),
  wheel: Type.Object({ ...version, type: Type.Literal('wheel'), ...seen, ...point, dx: delta, dy: delta }, strict),
  key: Type.Object(
    {
      ...version,
      type: Type.Literal('key'),
      ...seen,
      key: Type.String({ minLength: 1, maxLength: 16 }),
      code: Type.String({ maxLength: 32 }),
      modifiers,
      down: Type.Boolean(),
    },
    strict,
  ),
  text: Type.Object({ ...version, type: Type.Literal('text'), ...seen, text: Type.String({ minLength: 1, maxLength: maxTypedText }) }, strict),
  release: Type.Object({ ...version, type: Type.Literal('release'), ...seen }, strict),
  restore: Type.Object({ ...version, type: Type.Literal('restore'), ...seen }, strict),
} as const;

type Schemas = typeof guestMessageSchemas;
type Unversioned<T> = T extends unknown ? Omit<T, 'v'> : never;
/** A message from a guest; `writeMessage` adds the version. */
export type GuestMessage = { [K in keyof Schemas]: Unversioned<Type.Static<Schemas[K]>> }[keyof Schemas];
export type GuestInput = Extract<GuestMessage, { readonly n: number }>;

/**
 * Reason why an input had no effect. `protected`: guests may not use its target. `rate`: too many inputs. `stale`: the page has changed since the frame that
 * the guest saw. `waiting`: the host has not allowed control yet.
 */
export type RefusedReason = 'protected' | 'rate' | 'stale' | 'role' | 'waiting';

export interface FocusRect {
  /** Position as a fraction of the image, 0 to 1. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A message from the host; `writeMessage` adds the version. */
export type HostMessage =
  | {
      readonly type: 'welcome';
      readonly role: 'view' | 'control';
      readonly name: string;
      readonly guestId: string;
      readonly expiresAt: string;
      readonly heartbeatMs: number;
    }
  | {
      readonly type: 'state';
      /** `waiting`: the window exists, but there is no image of it yet. */
      readonly host: 'shown' | 'minimized' | 'gone' | 'waiting';
      readonly guests: number;
      readonly mayControl: boolean;
      readonly mayDecide: boolean;
    }
  | { readonly type: 'refused'; readonly input: number; readonly reason: RefusedReason }
  | { readonly type: 'focus'; readonly editable: boolean; readonly rect?: FocusRect; readonly text?: string }
  | { readonly type: 'pong'; readonly at: number; readonly hostAt: number }
  | { readonly type: 'ended'; readonly reason: string };
