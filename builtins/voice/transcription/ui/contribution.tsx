// Contributes dictation to the page: a microphone button beside each text field, and hands-free conversation.
import type { Contribution } from '#page/points/contribution.ts';
import { DictateButton } from './dictate-button.tsx';
import { HandsFreeArea, HandsFreeButton } from './hands-free-button.tsx';

export const contribution: Contribution = {
  plugin: 'transcription',
  fieldTools: [{ title: 'Dictation', permission: 'chats.write', Tool: DictateButton }],
  parts: [
    { slot: 'composer-menu', title: 'Hands-free', order: 20, permission: 'chats.write', Part: HandsFreeButton },
    { slot: 'over-composer', title: 'Hands-free', order: 20, permission: 'chats.write', Part: HandsFreeArea },
  ],
  keys: [
    { keys: ['Alt', 'V'], what: 'Dictate into the field: hold, or press to start and to stop' },
    { keys: ['Esc'], what: 'Cancel the dictation' },
  ],
};
