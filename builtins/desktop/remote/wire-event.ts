// Defines the wire events of remote sessions, which clients receive for every chat.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const kinds = ['code', 'joined', 'asks', 'allowed', 'input', 'left', 'ended'] as const;

export const wireEvent: WireEvent = {
  name: 'remote_session',
  description: 'The remote sessions changed: a code was created or ended, or a viewer joined, requested control, sent an input, or left.',
  permission: 'owner',
  keep: 'newest',
  schema: Type.Object({
    what: Type.Union(kinds.map((kind) => Type.Literal(kind))),
    role: Type.Optional(Type.Union([Type.Literal('view'), Type.Literal('control')])),
    transport: Type.Optional(Type.Union([Type.Literal('lan'), Type.Literal('cloud')])),
    guestId: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'Name that the viewer gave.' })),
    address: Type.Optional(Type.String()),
    inputs: Type.Optional(Type.Integer({ description: 'Number of inputs since the last event.' })),
    isAllowed: Type.Optional(Type.Boolean({ description: 'Whether the host lets the viewer control the window.' })),
    guests: Type.Integer({ description: 'Current number of viewers.' }),
  }),
};
