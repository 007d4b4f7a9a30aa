// Defines the descriptors of all commands of this plugin; their code is loaded on first use.
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { CliParts, RunCommand } from './cli-parts.ts';
import { chatIds, installedPlugins, settingKeys, trashedIds, viewNames } from './listings.ts';
import { chatOptions } from './which-chat.ts';

const serverOptions = {
  port: { type: 'string', short: 'p', description: 'Port to listen on (default: PORT or 3001; 0 for a free port).' },
  host: { type: 'string', description: 'Address to listen on (default: AGENT_WEB_BIND_HOST or 127.0.0.1).' },
  safe: { type: 'boolean', description: 'Starts without third-party plugins.' },
} as const;
const conversationOptions = {
  ...chatOptions,
  resume: { type: 'boolean', short: 'r', description: 'Lists earlier chats to continue one of them.' },
  plain: { type: 'boolean', description: 'Prints plain lines, for screen readers: no drawing, cursor movement or colors.' },
} as const;
const jsonOption = { json: { type: 'boolean', description: 'Prints JSON.' } } as const;

/** A command whose code is loaded on first use. */
type LazyCommand = Omit<CliCommand, 'run'> & { load(): Promise<RunCommand> };

const startCommands: readonly LazyCommand[] = [
  {
    name: 'open',
    summary: 'Opens the page in the browser and starts the server if none is running (default command).',
    startsEarly: true,
    options: { ...serverOptions, 'no-browser': { type: 'boolean', description: 'Prints the address without opening a browser.' } },
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'serve',
    summary: 'Runs the server in the foreground.',
    startsEarly: true,
    options: {
      ...serverOptions,
      'until-unused': { type: 'string', description: 'Exits after this many seconds without a running turn or a connected client.' },
    },
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'dev',
    summary: 'Starts the server in plugin-development mode (hot reload).',
    startsEarly: true,
    options: serverOptions,
    load: async () => (await import('./commands/dev.ts')).dev,
  },
];

const chatCommands: readonly LazyCommand[] = [
  {
    name: 'chat',
    summary: 'Starts a chat in this terminal, in the current directory.',
    startsEarly: true,
    options: conversationOptions,
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'tui',
    summary: 'Alias of chat.',
    startsEarly: true,
    options: conversationOptions,
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'run',
    summary: "Runs one prompt in the current directory. Piped input is added to the prompt; without text, or with '-', the input is the prompt.",
    usage: '["<text>"]',
    options: {
      ...chatOptions,
      attach: { type: 'string', short: 'a', multiple: true, values: 'file', description: 'Attaches a file (repeatable).' },
      json: { type: 'boolean', description: 'Prints each event as one line of JSON.' },
      yes: { type: 'boolean', short: 'y', description: 'Approves every call that needs approval.' },
    },
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'chats',
    summary: 'Lists, shows, organizes, exports, imports and deletes chats, and manages the trash.',
    values: { id: chatIds, 'restore id': trashedIds, 'erase id': trashedIds, mode: ['ask', 'careful', 'plan', 'auto'] },
    usage:
      '[list | trash | show <id> | delete <id> | restore <id> | erase <id> | pin <id> | unpin <id> | archive <id> | unarchive <id> | mode <id> <mode> | tag <id> <tag> … | export <id> | import <file>]',
    options: {
      ...jsonOption,
      archived: { type: 'boolean', description: 'Includes archived chats.' },
      format: { type: 'string', description: 'Export format: markdown (default), json (can be imported) or html (one page without scripts).' },
      out: { type: 'string', short: 'o', values: 'file', description: 'Writes the export to this file.' },
      folder: { type: 'string', description: 'Workspace of an imported chat (default: a new empty folder).' },
      'with-secrets': { type: 'boolean', description: 'Exports without redacting the folder and detected secrets.' },
      yes: { type: 'boolean', short: 'y', description: 'Erases without confirmation.' },
    },
    load: async () => (await import('./commands/chats.ts')).chats,
  },
  {
    name: 'import',
    summary: 'Lists the data of another agent on this machine, and imports its sessions, rules and MCP servers.',
    usage: '<claude-code | codex | opencode>',
    options: {
      ...jsonOption,
      all: { type: 'boolean', description: 'Imports all sessions; sessions imported before stay unchanged.' },
      session: { type: 'string', multiple: true, description: 'Imports this session, by id or the start of its id (repeatable).' },
      since: { type: 'string', description: 'Imports sessions that were active on or after this date, such as 2026-11-01.' },
      'in-folders': { type: 'boolean', description: 'Uses the folder of each session as the workspace of its chat, instead of an empty one.' },
      'dry-run': { type: 'boolean', description: 'Lists the sessions that would be imported, without importing them.' },
      rules: { type: 'boolean', description: 'Imports rules: general rules as notes, a CLAUDE.md as the AGENTS.md of its folder.' },
      server: { type: 'string', description: 'Shows and connects this MCP server.' },
      yes: { type: 'boolean', short: 'y', description: 'Connects it without confirmation.' },
    },
    load: async () => (await import('./commands/import.ts')).importFrom,
  },
];

const featureCommands: readonly LazyCommand[] = [
  {
    name: 'settings',
    summary: 'Lists, reads and changes settings.',
    usage: '[list | get KEY | set KEY=VALUE | unset KEY]',
    values: { KEY: settingKeys, 'KEY=VALUE': settingKeys },
    options: jsonOption,
    load: async () => (await import('./commands/settings.ts')).settings,
  },
  {
    name: 'view',
    summary: 'Lists the views of plugins, shows a view, and runs one of its actions.',
    usage: '[name] [parameter=value …] [action] [row] [field=value …]',
    values: { name: viewNames },
    options: {
      ...jsonOption,
      chat: { ...chatOptions.chat, description: 'Chat of the view, by id (default: the active chat).' },
      yes: { type: 'boolean', short: 'y', description: 'Runs actions without confirmation.' },
    },
    load: async () => (await import('./commands/view.ts')).view,
  },
  {
    name: 'persona',
    summary: 'Shows the persona, generates it from a sentence, and restores earlier versions.',
    usage: '[show | set "<sentence>" | reset | history | back [version]]',
    options: jsonOption,
    load: async () => (await import('./commands/persona.ts')).persona,
  },
  {
    name: 'speak',
    summary: 'Converts text to speech and writes it to a file.',
    usage: '"<text>"',
    options: {
      ...jsonOption,
      chat: chatOptions.chat,
      out: { type: 'string', short: 'o', values: 'file', description: 'Output file (default: speech, with the extension of its format).' },
      voice: { type: 'string', description: 'Name of the voice, as the speech engine lists it.' },
    },
    load: async () => (await import('./commands/speak.ts')).speak,
  },
  {
    name: 'transcribe',
    summary: 'Transcribes an audio file.',
    usage: '<file>',
    values: { file: 'file' },
    options: {
      ...jsonOption,
      chat: chatOptions.chat,
      language: { type: 'string', short: 'l', description: 'Spoken language, such as en or pt-BR (default: detected).' },
      prompt: { type: 'string', description: 'Names and terms that the recording probably contains.' },
      timestamps: { type: 'string', description: 'Timestamps in the JSON output: none, segment or word.', values: ['none', 'segment', 'word'] },
    },
    load: async () => (await import('./commands/transcribe.ts')).transcribe,
  },
  {
    name: 'key',
    summary: 'Reads the API key of the model provider without echo and stores it in .env of the home folder.',
    usage: 'set',
    options: {
      'base-url': { type: 'string', description: 'Base URL of the provider (default: derived from the key or the settings).' },
      model: { type: 'string', description: 'Default model (default: the model in the settings).' },
    },
    load: async () => (await import('./commands/key.ts')).key,
  },
  {
    name: 'plugins',
    summary: 'Lists plugins and why they are inactive; reloads, creates, develops, tests, installs, updates, audits and removes third-party plugins.',
    usage:
      '[list | reload | new <name> | dev [path or name] | test [path or name] | install <source> | update [name] | audit | remove <name> | allow <name> | isolate <name> <where>]',
    values: {
      path: 'file',
      source: 'file',
      'update name': installedPlugins,
      'remove name': installedPlugins,
      where: ['process', 'child', 'default'],
    },
    options: {
      ...jsonOption,
      ...serverOptions,
      dir: { type: 'string', values: 'folder', description: 'Parent folder of a new plugin (default: the plugin folder).' },
      typescript: { type: 'boolean', description: 'Creates the new plugin in TypeScript.' },
      yes: { type: 'boolean', short: 'y', description: 'Installs without confirmation.' },
      'no-cool-down': { type: 'boolean', description: 'Accepts a version that was published recently.' },
      data: { type: 'boolean', description: 'Also removes the data of the plugin.' },
    },
    load: async () => (await import('./commands/plugins.ts')).plugins,
  },
];

const maintenanceCommands: readonly LazyCommand[] = [
  {
    name: 'doctor',
    summary: 'Checks the installation and suggests fixes.',
    options: {
      ...jsonOption,
      repair: { type: 'boolean', description: 'First rebuilds damaged files from the chat journals (only while no server runs).' },
      connection: { type: 'boolean', description: 'Also tests the model with one small request, which costs tokens.' },
    },
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'audit',
    summary: 'Audits the security of this installation.',
    options: { ...jsonOption, fix: { type: 'boolean', description: 'Repairs file and folder permissions.' } },
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'completion',
    summary: 'Prints the completion script of a shell.',
    usage: '[bash | zsh | fish]',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];

const accessCommands: readonly LazyCommand[] = [
  {
    name: 'token',
    summary: 'Shows or rotates the web token.',
    usage: '[show | rotate]',
    load: async () => (await import('./commands/token.ts')).token,
  },
  {
    name: 'pair',
    summary: 'Pairs another device with a one-time code; lists and revokes paired devices.',
    options: {
      ...jsonOption,
      list: { type: 'boolean', description: 'Lists paired devices.' },
      role: { type: 'string', values: ['view', 'chat', 'full'], description: 'Permissions of the device: view, chat (default) or full.' },
      network: { type: 'boolean', description: 'Lets devices in this network reach the running server from now on.' },
      outside: { type: 'boolean', description: 'Pairs a device outside your network through the control plane, end-to-end encrypted.' },
      revoke: { type: 'string', description: 'Revokes the access of a device, by id.' },
    },
    load: async () => (await import('./commands/pair.ts')).pair,
  },
  {
    name: 'login',
    summary: 'Signs in to an account: in the browser, with a code on machines without one, or with a license token.',
    options: {
      token: { type: 'string', description: 'License token, instead of signing in.' },
      device: { type: 'boolean', description: 'Shows a code to confirm in a browser on any machine.' },
      'no-browser': { type: 'boolean', description: 'Prints the address without opening a browser.' },
      site: { type: 'string', description: 'Address of a self-hosted control plane: shows its key and stores both in .env after confirmation.' },
      fingerprint: { type: 'string', description: 'With --site: expected key fingerprint from the operator, instead of confirmation.' },
    },
    load: async () => (await import('./commands/account.ts')).login,
  },
  {
    name: 'logout',
    summary: 'Signs out and deletes the stored license.',
    load: async () => (await import('./commands/account.ts')).logout,
  },
  {
    name: 'account',
    summary: 'Shows the account and the features it unlocks.',
    options: jsonOption,
    load: async () => (await import('./commands/account.ts')).account,
  },
];

export function listCommands(parts: CliParts): CliCommand[] {
  return [...startCommands, ...chatCommands, ...featureCommands, ...maintenanceCommands, ...accessCommands].map(({ load, ...command }) => ({
    ...command,
    run: async (input, output) => (await load())(parts, input, output),
  }));
}
