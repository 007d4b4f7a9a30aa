// Contributes spoken replies to the page: a switch per chat, the playback strip, and a button that reads one message aloud.
import type { Contribution } from '#page/points/contribution.ts';
import { spokenRepliesOf } from './load-spoken-replies.ts';
import { ReadAloudButton } from './read-aloud-button.tsx';
import { SpeechArea, SpeechCover } from './speech-area.tsx';
import { SpeechButton } from './speech-button.tsx';

export const contribution: Contribution = {
  plugin: 'speech',
  parts: [
    { slot: 'composer-menu', title: 'Spoken replies', order: 10, permission: 'chats.write', Part: SpeechButton },
    { slot: 'over-composer', title: 'Spoken replies', order: 10, permission: 'chats.write', Part: SpeechArea },
    { slot: 'cover', title: 'Spoken replies', permission: 'chats.write', Part: SpeechCover },
  ],
  messageTools: [{ title: 'Read aloud', permission: 'chats.write', Tool: ReadAloudButton }],
  keys: [{ keys: ['Esc'], what: 'Stop the spoken reply' }],
  spokenOutput: spokenRepliesOf,
};
