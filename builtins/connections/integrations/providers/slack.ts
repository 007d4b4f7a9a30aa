// Defines the operations of Slack. Source of the paths: the provider's API reference.
import * as Type from 'typebox';
import type { IntegrationProvider } from '../contract.ts';
import { count, maybe, strict, text } from './fields.ts';

export const slack: IntegrationProvider = {
  id: 'slack',
  title: 'Slack',
  kind: 'team chat',
  origins: ['https://slack.com/api'],
  revokeUrl: 'https://slack.com/api/auth.revoke',
  tools: [
    {
      name: 'list_channels',
      description: 'Lists channels.',
      method: 'GET',
      path: '/conversations.list',
      input: Type.Object({ limit: count(1_000), cursor: maybe('From the last response.', 500) }, strict),
    },
    {
      name: 'read_channel',
      description: 'Reads the newest messages of a channel.',
      method: 'GET',
      path: '/conversations.history',
      input: Type.Object({ channel: text('Id of the channel.', 50), limit: count(200), oldest: maybe('A timestamp.', 50) }, strict),
    },
    {
      name: 'send_message',
      description: 'Sends a message to a channel or person.',
      method: 'POST',
      path: '/chat.postMessage',
      input: Type.Object(
        { channel: text('Id of the channel or person.', 50), text: text('Text.', 40_000), thread_ts: maybe('Replies in this thread.', 50) },
        strict,
      ),
    },
    {
      name: 'search',
      description: 'Finds messages.',
      method: 'GET',
      path: '/search.messages',
      input: Type.Object({ query: text('Words.'), count: count(100) }, strict),
    },
  ],
};
