// Defines the operations of Microsoft 365 in its Graph API. Source of the paths: the provider's API reference.
import * as Type from 'typebox';
import type { IntegrationProvider } from '../contract.ts';
import { count, maybe, moment, strict, text } from './fields.ts';

export const microsoft: IntegrationProvider = {
  id: 'microsoft',
  title: 'Microsoft 365',
  kind: 'productivity suite',
  origins: ['https://graph.microsoft.com/v1.0'],
  tools: [
    {
      name: 'search_mail',
      description: 'Finds mails.',
      method: 'GET',
      path: '/me/messages',
      fixed: { $select: 'id,subject,from,receivedDateTime,bodyPreview' },
      input: Type.Object({ $search: text('Words in double quotes: `"budget"`.'), $top: count(100) }, strict),
    },
    {
      name: 'read_mail',
      description: 'Reads an email.',
      method: 'GET',
      path: '/me/messages/{id}',
      input: Type.Object({ id: text('Id of the email.', 500) }, strict),
    },
    {
      name: 'send_mail',
      description: 'Sends an email to one address.',
      method: 'POST',
      path: '/me/sendMail',
      fixed: { contentType: 'Text' },
      place: {
        subject: 'message.subject',
        body: 'message.body.content',
        contentType: 'message.body.contentType',
        recipients: 'message.toRecipients',
      },
      input: Type.Object(
        {
          recipients: Type.Array(Type.Object({ emailAddress: Type.Object({ address: text('Address.', 320) }, strict) }, strict), { minItems: 1, maxItems: 50 }),
          subject: text('Subject.', 500),
          body: text('Plain text.', 100_000),
        },
        strict,
      ),
    },
    {
      name: 'list_events',
      description: 'Lists calendar events between two times.',
      method: 'GET',
      path: '/me/calendarView',
      input: Type.Object({ startDateTime: moment('From.'), endDateTime: moment('Until.'), $top: count(100) }, strict),
    },
    {
      name: 'create_event',
      description: 'Adds an event to the calendar.',
      method: 'POST',
      path: '/me/events',
      place: { start: 'start.dateTime', startZone: 'start.timeZone', end: 'end.dateTime', endZone: 'end.timeZone', details: 'body.content' },
      fixed: { startZone: 'UTC', endZone: 'UTC' },
      input: Type.Object(
        {
          subject: text('Title.', 500),
          start: text('Start in UTC: 2026-01-31T09:00:00.', 40),
          end: text('End in UTC.', 40),
          details: maybe('Details.', 8_000),
        },
        strict,
      ),
    },
    {
      name: 'search_files',
      description: 'Finds files in Drive.',
      method: 'GET',
      path: "/me/drive/root/search(q='{words}')",
      input: Type.Object({ words: text('Words.', 200), $top: count(100) }, strict),
    },
  ],
};
