// Implements one guest of a remote session: checks its rights, validates its messages, and sends frames and states.
import { Compile } from 'typebox/compile';
import type { GuestLink, RemoteRole } from 'agent-harness/builtins/desktop/remote';
import type { Viewer } from '../frames/viewer.ts';
import { guestMessageSchemas } from '../guest-messages.ts';
import {
  guestProtocolVersion,
  maxGuestTextBytes,
  writeMessage,
  type GuestInput,
  type GuestMessage,
  type HostMessage,
  type RefusedReason,
} from '../guest-protocol.ts';
import { createBucket } from '../inputs/rate.ts';

export interface GuestFacts {
  readonly guestId: string;
  readonly code: string;
  readonly role: RemoteRole;
  /** Display name, one line. */
  readonly name: string;
  readonly address: string;
  readonly transport: GuestLink['transport'];
  /** Words for comparison; the guest also sees them. */
  readonly words?: string;
  readonly since: string;
}

/** The host's decisions about a guest; they apply to all connections of the guest's token. */
export interface Standing {
  /** Whether the host has allowed control; `undefined` if the host has not been asked yet. */
  isAllowed?: boolean;
  hasAsked: boolean;
  mayDecide: boolean;
}

export interface GuestParts {
  readonly facts: GuestFacts;
  readonly standing: Standing;
  readonly link: Pick<GuestLink, 'send'>;
  readonly viewer: Viewer;
  readonly now: () => number;
  readonly onView: (view: { readonly width: number; readonly height: number; readonly dpr: number }) => void;
  /** Called when the guest requests control for the first time. */
  readonly onAsk: () => void;
  /** Called for each permitted input. */
  readonly onInput: (input: GuestInput) => void;
  /** Called when the guest violates the protocol. */
  readonly onBreach: (reason: string) => void;
}

export interface Guest {
  readonly facts: GuestFacts;
  readonly standing: Standing;
  readonly viewer: Viewer;
  /** Time of the last message, in milliseconds of the monotonic clock. */
  readonly heardAt: number;
  /** Time of the last accepted input. */
  readonly inputAt: number;
  receive(text: string): void;
  tell(message: HostMessage): void;
  refuse(input: number, reason: RefusedReason): void;
}

type Checks = { readonly [K in keyof typeof guestMessageSchemas]: { Check(value: unknown): boolean } };

const inputsPerSecond = 120;
/** Maximum number of messages per second besides inputs; further messages are not parsed. */
const textsPerSecond = 400;
const maxUnread = 2_000;
/** Minimum interval between rate limit notices in milliseconds. */
const rateTellMs = 250;

const checks = Object.fromEntries(Object.entries(guestMessageSchemas).map(([name, schema]) => [name, Compile(schema)])) as unknown as Checks;

export function createGuest({ facts, standing, link, viewer, now, onView, onAsk, onInput, onBreach }: GuestParts): Guest {
  const texts = createBucket(textsPerSecond, now);
  const inputs = createBucket(inputsPerSecond, now);
  let heardAt = now();
  let inputAt = -Infinity;
  let rateReportedAt = -Infinity;
  let unread = 0;
  let lastInput = 0;

  const sendMessage = (message: HostMessage): void => link.send(writeMessage(message));

  function refuse(input: number, reason: RefusedReason): void {
    if (reason === 'rate') {
      if (now() - rateReportedAt < rateTellMs) return;
      rateReportedAt = now();
    }
    sendMessage({ type: 'refused', input, reason });
  }

  function onMessage(message: GuestMessage): void {
    if (message.type === 'ack') viewer.ack(message.seq);
    else if (message.type === 'ping') sendMessage({ type: 'pong', at: message.at, hostAt: Date.now() });
    else if (message.type === 'view') onView(message);
    else takeInput(message);
  }

  function takeInput(input: GuestInput): void {
    if (input.n <= lastInput) return;
    lastInput = input.n;
    if (!inputs.take()) return refuse(input.n, 'rate');
    if (standing.isAllowed === false) return refuse(input.n, 'role');
    if (standing.isAllowed === undefined) {
      if (!standing.hasAsked && input.type !== 'move' && input.type !== 'release') {
        standing.hasAsked = true;
        onAsk();
      }
      return refuse(input.n, 'waiting');
    }
    inputAt = now();
    onInput(input);
  }

  return {
    facts,
    standing,
    viewer,
    get heardAt() {
      return heardAt;
    },
    get inputAt() {
      return inputAt;
    },
    tell: sendMessage,
    refuse,
    receive(text) {
      if (!texts.take()) {
        if (++unread > maxUnread) onBreach('It sends too many messages.');
        return;
      }
      unread = 0;
      heardAt = now();
      if (text.length > maxGuestTextBytes) return onBreach('A message is too long.');
      const message = parse(text);
      if (message === undefined) return onBreach(`The message has another version; this host supports version ${guestProtocolVersion}.`);
      if (facts.role === 'view' && !['ack', 'ping', 'view'].includes(message.type)) return onBreach('A viewer may not control the page.');
      if (!checks[message.type].Check(message)) return onBreach(`The message '${message.type}' is invalid.`);
      onMessage(message);
    },
  };
}

/** Returns a message of a known kind and version; its content is not validated. */
function parse(text: string): GuestMessage | undefined {
  try {
    const { v, type } = JSON.parse(text) as { v?: unknown; type?: unknown };
    return v === guestProtocolVersion && typeof type === 'string' && Object.hasOwn(guestMessageSchemas, type) ? (JSON.parse(text) as GuestMessage) : undefined;
  } catch {
    return undefined;
  }
}
