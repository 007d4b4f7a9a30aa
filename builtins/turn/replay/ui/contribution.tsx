// Leads from the last message of a turn to its replay.
import type { Contribution } from '#page/points/contribution.ts';
import { ReplayButton } from './replay-button.tsx';

export const contribution: Contribution = {
  plugin: 'replay',
  messageTools: [{ title: 'Replay…', permission: 'chats.read', Tool: ReplayButton }],
};
