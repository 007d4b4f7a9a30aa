// The heartbeat in the page: the Pulse strip over the field for messages.
import type { Contribution } from '#page/points/contribution.ts';
import { Pulse } from './pulse.tsx';

export const contribution: Contribution = { plugin: 'heartbeat', parts: [{ slot: 'over-composer', title: 'Pulse', order: 90, Part: Pulse }] };
