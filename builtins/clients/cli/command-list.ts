// Every command of this plugin, as a descriptor; the code comes on first use.
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { CliParts, RunCommand } from './cli-parts.ts';
import { chatOptions } from './which-chat.ts';

const serverOptions = {
  port: { type: 'string', short: 'p', description: 'The port; PORT or 3001 when left out, 0 for a free one.' },
  host: { type: 'string', description: 'The address to listen on; AGENT_WEB_BIND_HOST or 127.0.0.1 when left out.' },
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
      options: serverOptions,
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
      options: chatOptions,
      run: lazily(async () => (await import('./commands/chat.ts')).chat),
    },
    {
      name: 'run',
      summary: "Has the agent do one thing in the folder you are in. What is piped in goes along; '-' takes all of it for the text.",
      usage: '"<text>"',
      options: {
        ...chatOptions,
        json: { type: 'boolean', description: 'Prints each event as a line of JSON.' },
        yes: { type: 'boolean', short: 'y', description: 'Approves whatever the agent asks approval for.' },
      },
      run: lazily(async () => (await import('./commands/run.ts')).run),
    },
    {
      name: 'chats',
      summary: 'Lists, shows, files and deletes chats, and looks into the trash.',
      usage:
        '[list | trash | show <id> | delete <id> | restore <id> | erase <id> | pin <id> | unpin <id> | archive <id> | unarchive <id> | mode <id> <mode> | tag <id> <tag> …]',
      options: {
        ...jsonOption,
        archived: { type: 'boolean', description: 'Lists the archived ones, too.' },
        yes: { type: 'boolean', short: 'y', description: 'Erases without asking.' },
      },
      run: lazily(async () => (await import('./commands/chats.ts')).chats),
    },
    {
      name: 'settings',
      summary: 'Lists, reads and changes settings.',
      usage: '[list | get KEY | set KEY=VALUE | unset KEY]',
      options: jsonOption,
      run: lazily(async () => (await import('./commands/settings.ts')).settings),
    },
    {
      name: 'persona',
      summary: 'Shows what the agent is like, makes that anew from a sentence, and takes it back.',
      usage: '[show | set "<sentence>" | reset | history | back [version]]',
      options: jsonOption,
      run: lazily(async () => (await import('./commands/persona.ts')).persona),
    },
    {
      name: 'transcribe',
      summary: 'Writes down what is said in a recording.',
      usage: '<file>',
      options: {
        ...jsonOption,
        chat: chatOptions.chat,
        language: { type: 'string', short: 'l', description: 'What is spoken: en, pt-BR. Found out when left out.' },
        prompt: { type: 'string', description: 'Names and words that are likely to be in it.' },
        timestamps: { type: 'string', description: 'With --json: none, segment or word.' },
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
      summary: 'Lists the plugins and says why one is not active; reloads your own without a restart.',
      usage: '[list | reload]',
      options: jsonOption,
      run: lazily(async () => (await import('./commands/plugins.ts')).plugins),
    },
    {
      name: 'doctor',
      summary: 'Checks that everything works, and says how to mend what does not.',
      options: {
        ...jsonOption,
        repair: { type: 'boolean', description: 'First makes again from the journals of the chats what can be; only while no server runs.' },
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
