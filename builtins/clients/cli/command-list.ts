// Every command of this plugin, as a descriptor; the code comes on first use.
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { CliParts, RunCommand } from './cli-parts.ts';
import { chatIds, installedPlugins, settingKeys, trashedIds, viewNames } from './listings.ts';
import { chatOptions } from './which-chat.ts';

const serverOptions = {
  port: { type: 'string', short: 'p', description: 'The port; PORT or 3001 when left out, 0 for a free one.' },
  host: { type: 'string', description: 'The address to listen on; AGENT_WEB_BIND_HOST or 127.0.0.1 when left out.' },
  safe: { type: 'boolean', description: 'Without any plugin that did not come with the product.' },
} as const;
const conversationOptions = {
  ...chatOptions,
  resume: { type: 'boolean', short: 'r', description: 'Lists the earlier chats to continue one of them.' },
  plain: { type: 'boolean', description: 'Lines only, for screen readers: nothing is drawn, moved or coloured.' },
} as const;
const jsonOption = { json: { type: 'boolean', description: 'Prints JSON for programs.' } } as const;

export function listCommands(parts: CliParts): CliCommand[] {
  const lazily = (load: () => Promise<RunCommand>): CliCommand['run'] => {
    return async (input, output) => (await load())(parts, input, output);
  };
  return [
    {
      name: 'open',
      summary: 'Opens the page in the browser, and starts the server unless it runs. What the program does when nothing is said.',
      startsEarly: true,
      options: { ...serverOptions, 'no-browser': { type: 'boolean', description: 'Prints the address only.' } },
      run: lazily(async () => (await import('./commands/open.ts')).open),
    },
    {
      name: 'serve',
      summary: 'Starts the server and stays until it is stopped.',
      startsEarly: true,
      options: {
        ...serverOptions,
        'until-unused': { type: 'string', description: 'Ends by itself when nothing has run and nobody has been there for so many seconds.' },
      },
      run: lazily(async () => (await import('./commands/serve.ts')).serve),
    },
    {
      name: 'dev',
      summary: 'Starts the server for whoever writes a plugin: what is added or saved in the plugin folder runs without a restart.',
      startsEarly: true,
      options: serverOptions,
      run: lazily(async () => (await import('./commands/dev.ts')).dev),
    },
    {
      name: 'chat',
      summary: 'Talks with the agent in this terminal, about the folder you are in.',
      startsEarly: true,
      options: conversationOptions,
      run: lazily(async () => (await import('./commands/chat.ts')).chat),
    },
    {
      name: 'tui',
      summary: 'Talks with the agent in this terminal; another name for chat.',
      startsEarly: true,
      options: conversationOptions,
      run: lazily(async () => (await import('./commands/chat.ts')).chat),
    },
    {
      name: 'run',
      summary: "Has the agent do one thing in the folder you are in. What is piped in goes along; without a text, or with '-', it is the text.",
      usage: '["<text>"]',
      options: {
        ...chatOptions,
        attach: { type: 'string', short: 'a', multiple: true, values: 'file', description: 'Sends this file along; may stand more than once.' },
        json: { type: 'boolean', description: 'Prints each event as a line of JSON.' },
        yes: { type: 'boolean', short: 'y', description: 'Approves whatever the agent asks approval for.' },
      },
      run: lazily(async () => (await import('./commands/run.ts')).run),
    },
    {
      name: 'chats',
      summary: 'Lists, shows, files and deletes chats, writes them to files and back, and looks into the trash.',
      values: { id: chatIds, 'restore id': trashedIds, 'erase id': trashedIds, mode: ['ask', 'careful', 'plan', 'auto'] },
      usage:
        '[list | trash | show <id> | delete <id> | restore <id> | erase <id> | pin <id> | unpin <id> | archive <id> | unarchive <id> | mode <id> <mode> | tag <id> <tag> … | export <id> | import <file>]',
      options: {
        ...jsonOption,
        archived: { type: 'boolean', description: 'Lists the archived ones, too.' },
        format: { type: 'string', description: 'What is exported: markdown (when left out), json, which can be imported, or html, one page without scripts.' },
        out: { type: 'string', short: 'o', values: 'file', description: 'Writes what is exported to this file.' },
        folder: { type: 'string', description: 'The folder in which an imported chat works; an empty one when left out.' },
        'with-secrets': { type: 'boolean', description: 'Leaves the folder and what looks like a secret in what is exported.' },
        yes: { type: 'boolean', short: 'y', description: 'Erases without asking.' },
      },
      run: lazily(async () => (await import('./commands/chats.ts')).chats),
    },
    {
      name: 'import',
      summary: 'Lists what another agent keeps on this machine, and takes over its sessions, rules and MCP servers.',
      usage: '<claude-code | codex | opencode>',
      options: {
        ...jsonOption,
        all: { type: 'boolean', description: 'Takes all sessions over; those that came in before are left as they are.' },
        session: { type: 'string', multiple: true, description: 'Takes this session over, by id or its beginning; may stand more than once.' },
        since: { type: 'string', description: 'Takes the sessions over that went on since this day, such as 2026-11-01.' },
        'in-folders': { type: 'boolean', description: 'Lets each chat work in the folder that the list shows for its session, instead of an empty one.' },
        'dry-run': { type: 'boolean', description: 'Shows which sessions would come in, and changes nothing.' },
        rules: { type: 'boolean', description: 'Takes its rules over: general ones as notes, a CLAUDE.md as the AGENTS.md of its folder.' },
        server: { type: 'string', description: 'Connects this MCP server, after it was shown.' },
        yes: { type: 'boolean', short: 'y', description: 'Connects it without asking.' },
      },
      run: lazily(async () => (await import('./commands/import.ts')).importFrom),
    },
    {
      name: 'settings',
      summary: 'Lists, reads and changes settings.',
      usage: '[list | get KEY | set KEY=VALUE | unset KEY]',
      values: { KEY: settingKeys, 'KEY=VALUE': settingKeys },
      options: jsonOption,
      run: lazily(async () => (await import('./commands/settings.ts')).settings),
    },
    {
      name: 'view',
      summary: 'Lists what plugins show, shows one of them, and has something done in it.',
      usage: '[name] [parameter=value …] [action] [row] [field=value …]',
      values: { name: viewNames },
      options: {
        ...jsonOption,
        chat: { ...chatOptions.chat, description: 'The chat that it is about; the active one when left out.' },
        yes: { type: 'boolean', short: 'y', description: 'Does without asking what asks first.' },
      },
      run: lazily(async () => (await import('./commands/view.ts')).view),
    },
    {
      name: 'persona',
      summary: 'Shows what the agent is like, makes that anew from a sentence, and takes it back.',
      usage: '[show | set "<sentence>" | reset | history | back [version]]',
      options: jsonOption,
      run: lazily(async () => (await import('./commands/persona.ts')).persona),
    },
    {
      name: 'speak',
      summary: 'Writes a text as sound into a file.',
      usage: '"<text>"',
      options: {
        ...jsonOption,
        chat: chatOptions.chat,
        out: { type: 'string', short: 'o', values: 'file', description: 'The file; speech with the ending of its kind when left out.' },
        voice: { type: 'string', description: 'As the engine names it.' },
      },
      run: lazily(async () => (await import('./commands/speak.ts')).speak),
    },
    {
      name: 'transcribe',
      summary: 'Writes down what is said in a recording.',
      usage: '<file>',
      values: { file: 'file' },
      options: {
        ...jsonOption,
        chat: chatOptions.chat,
        language: { type: 'string', short: 'l', description: 'What is spoken: en, pt-BR. Found out when left out.' },
        prompt: { type: 'string', description: 'Names and words that are likely to be in it.' },
        timestamps: { type: 'string', description: 'With --json: none, segment or word.', values: ['none', 'segment', 'word'] },
      },
      run: lazily(async () => (await import('./commands/transcribe.ts')).transcribe),
    },
    {
      name: 'key',
      summary: 'Takes a key of the model provider, without showing it, into .env of the home folder.',
      usage: 'set',
      options: {
        'base-url': { type: 'string', description: 'Root of the provider; told from the key or the settings when left out.' },
        model: { type: 'string', description: 'The model that answers; the one of the settings when left out.' },
      },
      run: lazily(async () => (await import('./commands/key.ts')).key),
    },
    {
      name: 'plugins',
      summary:
        'Lists the plugins and says why one is not active; reloads your own without a restart; creates, develops, tests, installs, updates, audits and removes them.',
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
        dir: { type: 'string', values: 'folder', description: 'Where new puts the folder; the plugin folder when left out.' },
        typescript: { type: 'boolean', description: 'Makes the new one in TypeScript.' },
        yes: { type: 'boolean', short: 'y', description: 'Installs what is shown without asking.' },
        'no-cool-down': { type: 'boolean', description: 'Takes a version that was published only now.' },
        data: { type: 'boolean', description: 'Removes the data of the plugin, too.' },
      },
      run: lazily(async () => (await import('./commands/plugins.ts')).plugins),
    },
    {
      name: 'doctor',
      summary: 'Checks that everything works, and says how to mend what does not.',
      options: {
        ...jsonOption,
        repair: { type: 'boolean', description: 'First makes again from the journals of the chats what can be; only while no server runs.' },
        connection: { type: 'boolean', description: 'Also tests the connection to the model with one small request, which costs tokens.' },
      },
      run: lazily(async () => (await import('./commands/doctor.ts')).doctor),
    },
    {
      name: 'audit',
      summary: 'Checks how safe this installation is set up.',
      options: { ...jsonOption, fix: { type: 'boolean', description: 'Repairs the modes of files and folders.' } },
      run: lazily(async () => (await import('./commands/audit.ts')).audit),
    },
    {
      name: 'completion',
      summary: 'Prints what makes a shell complete the words of this program.',
      usage: '[bash | zsh | fish]',
      run: lazily(async () => (await import('./commands/completion.ts')).completion),
    },
    {
      name: 'token',
      summary: 'Shows the web token, or makes a new one.',
      usage: '[show | rotate]',
      run: lazily(async () => (await import('./commands/token.ts')).token),
    },
    {
      name: 'pair',
      summary: 'Lets another device in, by a code that works once; lists and revokes paired devices.',
      options: {
        ...jsonOption,
        list: { type: 'boolean', description: 'Lists the paired devices.' },
        role: { type: 'string', values: ['view', 'chat', 'full'], description: 'What the device may: view, chat (where left out) or full.' },
        outside: { type: 'boolean', description: 'For a device outside of your network, through the control plane, which cannot read along.' },
        revoke: { type: 'string', description: 'Takes the access of a device back, by its id.' },
      },
      run: lazily(async () => (await import('./commands/pair.ts')).pair),
    },
    {
      name: 'login',
      summary: 'Connects an account: in the browser, by a code where this machine has none, or with a license token.',
      options: {
        token: { type: 'string', description: 'The license token; nobody is asked to sign in then.' },
        device: { type: 'boolean', description: 'Shows a code that is confirmed in a browser on any machine.' },
        'no-browser': { type: 'boolean', description: 'Prints the address and opens no browser.' },
        site: { type: 'string', description: 'Address of a control plane of your own: shows its key, and keeps both in .env once you have confirmed it.' },
        fingerprint: { type: 'string', description: 'With --site: what its key has to be, as its operator said; nobody is asked then.' },
      },
      run: lazily(async () => (await import('./commands/account.ts')).login),
    },
    {
      name: 'logout',
      summary: 'Disconnects the account and deletes the saved license.',
      run: lazily(async () => (await import('./commands/account.ts')).logout),
    },
    {
      name: 'account',
      summary: 'Shows the account and what it unlocks.',
      options: jsonOption,
      run: lazily(async () => (await import('./commands/account.ts')).account),
    },
  ];
}
