// Replay in the page: a turn again, or with something changed, from its last message.
import type { Contribution } from '#page/points/contribution.ts';
import { ReplayButton } from './replay-button.tsx';

export const contribution: Contribution = {
  plugin: 'replay',
  messageTools: [{ title: 'Replay…', permission: 'chats.read', Tool: ReplayButton }],
};
