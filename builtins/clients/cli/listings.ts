// Defines the lists of a running server that shell completion can request.
import type { CliListing } from 'agent-harness/plugins/commands';

export const chatIds: CliListing = { path: '/api/chats', rows: 'chats', word: 'chatId', text: 'title' };
export const modelNames: CliListing = { path: '/api/models', rows: 'models', word: 'id' };
export const settingKeys: CliListing = { path: '/api/settings', rows: 'fields', word: 'key', text: 'title' };
export const viewNames: CliListing = { path: '/api/views', rows: 'views', word: 'name', text: 'title' };
export const trashedIds: CliListing = { ...chatIds, path: '/api/chats/trash' };
export const installedPlugins: CliListing = { path: '/api/plugins/installed', rows: 'plugins', word: 'name', text: 'description' };
