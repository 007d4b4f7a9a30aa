// Contributes the Pulse strip of the heartbeat to the page, above the message field.
import type { Contribution } from '#page/points/contribution.ts';
import { Pulse } from './pulse.tsx';

export const contribution: Contribution = { plugin: 'heartbeat', parts: [{ slot: 'over-composer', title: 'Pulse', order: 90, Part: Pulse }] };
