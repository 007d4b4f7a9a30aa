// Completion in real shells, of the built program.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testWith } from '../../helpers/programs-needed.ts';
import { createProgram, main, type Ended, type Program } from '../../helpers/cli-program.ts';

let program: Program;
let environment: Record<string, string>;
beforeEach(async () => {
  program = await createProgram();
  const bin = join(program.home, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'app'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
});
afterEach(() => program.clean());

const end = (command: string, argv: readonly string[]): Promise<Ended> => program.startProgram(command, argv, { environment }).ended;

async function startServer(): Promise<string> {
  const server = program.start(['serve', '--port', '0']);
  await server.until(/is ready at/);
  await program.run(['run', 'hello']);
  return JSON.parse((await program.run(['chats', '--json'])).stdout).chats[0].chatId;
}

describe('what fits', () => {
  const words = async (...typed: string[]): Promise<string[]> => {
    const { stdout } = await program.run(['completion', 'words', '--', ...typed]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t', 1)[0] ?? '');
  };

  test('comes from the declarations, also those of plugins of the person', async () => {
    await mkdir(join(program.home, 'plugins'), { recursive: true, mode: 0o700 });
    const command = "{ name: 'greet', summary: 'Greets.', usage: '[loudly | softly <who>]', values: { who: ['ada', 'bob'] }, run: async () => 0 }";
    await writeFile(join(program.home, 'plugins/greeter.mjs'), `export function register(registry) { registry.add('cli_command', ${command}); }\n`, {
      mode: 0o600,
    });
    expect(await words('gr')).toEqual(['greet']);
    expect(await words('greet', '')).toEqual(['loudly', 'softly']);
    expect(await words('greet', 'softly', 'a')).toEqual(['ada']);
    expect(await words('run', '--at')).toEqual(['--attach']);
    expect(await words('run', '--attach', '')).toEqual([':file']);
    expect(await words('run', '--folder', '')).toEqual([':folder']);
    expect(await words('pair', '--role=v')).toEqual(['--role=view']);
    expect(await words('run', '-y', '--json', '--jso')).toEqual(['']);
    expect(await words('settings', '')).toEqual(['list', 'get', 'set', 'unset']);
  });

  test('asks the server that runs, and starts none', async () => {
    expect(await words('chats', 'show', '')).toEqual(['']);
    const chatId = await startServer();
    expect(await words('chats', 'show', 'chat_')).toEqual([chatId]);
    expect(await words('chats', 'restore', '')).toEqual(['']);
    expect(await words('run', '--chat', chatId.slice(0, 8))).toEqual([chatId]);
    expect(await words('settings', 'get', 'AGENT_MAX')).toContain('AGENT_MAX_ROUNDS');
  });
});

describe('in a shell', () => {
  /** What bash offers at the end of the line, as its own word splitting gives it to the function. */
  const bash = async (line: string, words: readonly string[]): Promise<string> => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const ask = `source <(app completion bash); COMP_LINE='${line}' COMP_POINT=${line.length} COMP_CWORD=${words.length - 1}; COMP_WORDS=(${list});`;
    return (await end('bash', ['--norc', '--noprofile', '-c', `${ask} _app_complete; printf '%s|' "\${COMPREPLY[@]}"`])).stdout;
  };

  testWith('bash')('bash gets what comes after its own cut', async () => {
    expect(await bash('app plug', ['app', 'plug'])).toBe('plugins|');
    expect(await bash('app pair --role=v', ['app', 'pair', '--role', '=', 'v'])).toBe('view|');
    expect(await bash('app pair --role=', ['app', 'pair', '--role', '='])).toBe('view|chat|full|');
    expect(await bash('app chats sh', ['app', 'chats', 'sh'])).toBe('show|');
  });

  testWith('bash', 'script')('bash completes at the press of Tab', async () => {
    const chatId = await startServer();
    await writeFile(join(program.workspace, 'rc'), 'source <(app completion bash)\nPS1="ready> "\n');
    const shell = program.startProgram('script', ['-qec', 'bash --noprofile --rcfile rc -i', '/dev/null'], { environment: { ...environment, TERM: 'dumb' } });
    await shell.until(/ready> /);
    shell.type('app chats sho\tchat_\t--json > shown.json\nexit');
    await shell.ended;
    const shown = JSON.parse(await readFile(join(program.workspace, 'shown.json'), 'utf8'));
    expect(JSON.stringify(shown)).toContain(chatId);
  });

  testWith('zsh')('zsh takes the script and asks the program', async () => {
    const ask =
      'autoload -Uz compinit; compinit -u -D; source <(app completion zsh); _describe() { print -l -- "${(P@)2}"; }; _files() { print -r -- "files $*"; }; ' +
      'words=(app pair --role ""); CURRENT=4; _app; words=(app plug); CURRENT=2; _app; words=(app run --attach ""); CURRENT=4; _app';
    const { stdout, stderr } = await end('zsh', ['-f', '-c', ask]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^view:\nchat:\nfull:\nplugins:Lists the plugins.*\nfiles \n$/);
  });

  testWith('fish')('fish completes by the script', async () => {
    const ask = 'app completion fish | source; complete -C "app pair --role "; complete -C "app plug"; complete -C "app "';
    const { stdout } = await end('fish', ['--no-config', '-c', ask]);
    expect(stdout).toMatch(/^chat\nfull\nview\nplugins\tLists the plugins/);
    expect(stdout).toContain('\nserve\t');
  });
});
