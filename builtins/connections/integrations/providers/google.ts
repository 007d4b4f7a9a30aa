// Defines the operations of Google Workspace, Google Cloud and YouTube. Source of the paths: the API references.
import * as Type from 'typebox';
import type { IntegrationProvider } from '../contract.ts';
import { count, mail, maybe, moment, strict, text } from './fields.ts';

const revokeUrl = 'https://oauth2.googleapis.com/revoke';

export const googleWorkspace: IntegrationProvider = {
  id: 'google',
  title: 'Google Workspace',
  kind: 'productivity suite',
  origins: ['https://www.googleapis.com', 'https://gmail.googleapis.com', 'https://docs.googleapis.com', 'https://sheets.googleapis.com'],
  revokeUrl,
  tools: [
    {
      name: 'search_mail',
      description: 'Finds emails; returns their ids.',
      method: 'GET',
      path: 'https://gmail.googleapis.com/gmail/v1/users/me/messages',
      input: Type.Object({ q: text('Gmail search syntax: `from:ada newer_than:7d`.'), maxResults: count(100) }, strict),
    },
    {
      name: 'read_mail',
      description: 'Reads an email.',
      method: 'GET',
      path: 'https://gmail.googleapis.com/gmail/v1/users/me/messages/{id}',
      input: Type.Object({ id: text('Id of the email.', 200) }, strict),
    },
    {
      name: 'send_mail',
      description: 'Sends an email.',
      method: 'POST',
      path: 'https://gmail.googleapis.com/gmail/v1/users/me/messages/send',
      input: mail,
      mail: 'raw',
    },
    {
      name: 'list_events',
      description: 'Lists events of the main calendar.',
      method: 'GET',
      path: '/calendar/v3/calendars/primary/events',
      fixed: { singleEvents: true, orderBy: 'startTime' },
      input: Type.Object({ timeMin: moment('From.'), timeMax: Type.Optional(moment('Until.')), q: maybe('Words.'), maxResults: count(250) }, strict),
    },
    {
      name: 'create_event',
      description: 'Adds an event to the main calendar.',
      method: 'POST',
      path: '/calendar/v3/calendars/primary/events',
      place: { start: 'start.dateTime', end: 'end.dateTime' },
      input: Type.Object(
        { summary: text('Title.', 500), start: moment('Begin.'), end: moment('End.'), description: maybe('Details.', 8_000), location: maybe('Where.', 500) },
        strict,
      ),
    },
    {
      name: 'search_files',
      description: 'Finds files in Drive.',
      method: 'GET',
      path: '/drive/v3/files',
      fixed: { fields: 'files(id,name,mimeType,modifiedTime,webViewLink)' },
      input: Type.Object({ q: text("A Drive query: `name contains 'plan'`."), pageSize: count(100) }, strict),
    },
  ],
};

export const googleCloud: IntegrationProvider = {
  id: 'google-cloud',
  title: 'Google Cloud',
  kind: 'cloud platform',
  origins: [
    'https://cloudresourcemanager.googleapis.com',
    'https://compute.googleapis.com',
    'https://storage.googleapis.com',
    'https://logging.googleapis.com',
    'https://run.googleapis.com',
  ],
  revokeUrl,
  tools: [
    {
      name: 'list_projects',
      description: 'Lists projects.',
      method: 'GET',
      path: '/v3/projects:search',
      input: Type.Object({ query: maybe('As `displayName:web*`.'), pageSize: count(100) }, strict),
    },
    {
      name: 'get_project',
      description: 'Returns one project.',
      method: 'GET',
      path: '/v3/projects/{project}',
      input: Type.Object({ project: text('Its id.', 100) }, strict),
    },
  ],
};

export const youtube: IntegrationProvider = {
  id: 'youtube',
  title: 'YouTube',
  kind: 'video platform',
  origins: ['https://www.googleapis.com/youtube'],
  revokeUrl,
  tools: [
    {
      name: 'search',
      description: 'Finds videos, channels and playlists.',
      method: 'GET',
      path: '/v3/search',
      fixed: { part: 'snippet' },
      input: Type.Object(
        {
          q: text('Words.'),
          type: Type.Optional(Type.Union([Type.Literal('video'), Type.Literal('channel'), Type.Literal('playlist')])),
          maxResults: count(50),
        },
        strict,
      ),
    },
    {
      name: 'get_video',
      description: 'Returns a video with its statistics.',
      method: 'GET',
      path: '/v3/videos',
      fixed: { part: 'snippet,statistics,contentDetails' },
      input: Type.Object({ id: text('Id of the video.', 50) }, strict),
    },
    {
      name: 'list_own_playlists',
      description: 'Lists the playlists of the account.',
      method: 'GET',
      path: '/v3/playlists',
      fixed: { part: 'snippet', mine: true },
      input: Type.Object({ maxResults: count(50) }, strict),
    },
    {
      name: 'add_to_playlist',
      description: 'Adds a video to a playlist.',
      method: 'POST',
      path: '/v3/playlistItems?part=snippet',
      place: { playlistId: 'snippet.playlistId', videoId: 'snippet.resourceId.videoId', kind: 'snippet.resourceId.kind' },
      input: Type.Object(
        {
          playlistId: text('Id of the playlist.', 100),
          videoId: text('Id of the video.', 50),
          kind: Type.Literal('youtube#video', { default: 'youtube#video' }),
        },
        strict,
      ),
    },
  ],
};
