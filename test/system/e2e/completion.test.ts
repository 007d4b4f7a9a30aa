// Tests shell completion of the built program in real shells.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
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
  const [, url = ''] = await program.start(['serve', '--port', '0']).until(/is ready at (\S+)/);
  const token = (await readFile(join(program.home, 'web_token'), 'utf8')).trim();
  const made = await fetch(`${url}/api/chats`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  return ((await made.json()) as { chatId: string }).chatId;
}

describe('shell completion', () => {
  testWith('bash')('bash completes words split at its own separators', async () => {
    const lines: readonly (readonly [line: string, words: readonly string[]])[] = [
      ['app plug', ['app', 'plug']],
      ['app pair --role=v', ['app', 'pair', '--role', '=', 'v']],
      ['app pair --role=', ['app', 'pair', '--role', '=']],
      ['app chats sh', ['app', 'chats', 'sh']],
    ];
    const asks = lines.map(([line, words]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      return `COMP_LINE='${line}' COMP_POINT=${line.length} COMP_CWORD=${words.length - 1}; COMP_WORDS=(${list}); _app_complete; printf '%s|' "\${COMPREPLY[@]}"; echo`;
    });
    const { stdout } = await end('bash', ['--norc', '--noprofile', '-c', `source <(app completion bash); ${asks.join('; ')}`]);
    expect(stdout).toBe('plugins|\nview|\nview|chat|full|\nshow|\n');
  });

  testWith('bash', 'script')('bash completes on Tab', async () => {
    const chatId = await startServer();
    await writeFile(join(program.workspace, 'rc'), 'source <(app completion bash)\nPS1="ready> "\n');
    const shell = program.startProgram('script', ['-qec', 'bash --noprofile --rcfile rc -i', '/dev/null'], { environment: { ...environment, TERM: 'dumb' } });
    await shell.until(/ready> /);
    shell.type('app chats sho\tchat_\t--json > shown.json\nexit');
    await shell.ended;
    const shown = JSON.parse(await readFile(join(program.workspace, 'shown.json'), 'utf8'));
    expect(JSON.stringify(shown)).toContain(chatId);
  });

  testWith('zsh')('zsh loads the script and queries the program', async () => {
    const ask =
      'autoload -Uz compinit; compinit -u -D; source <(app completion zsh); _describe() { print -l -- "${(P@)2}"; }; _files() { print -r -- "files $*"; }; ' +
      'words=(app pair --role ""); CURRENT=4; _app; words=(app plug); CURRENT=2; _app; words=(app run --attach ""); CURRENT=4; _app';
    const { stdout, stderr } = await end('zsh', ['-f', '-c', ask]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^view:\nchat:\nfull:\nplugins:Lists plugins.*\nfiles \n$/);
  });

  testWith('fish')('fish completes with the script', async () => {
    const ask = 'app completion fish | source; complete -C "app pair --role "; complete -C "app plug"; complete -C "app "';
    const { stdout } = await end('fish', ['--no-config', '-c', ask]);
    expect(stdout).toMatch(/^chat\nfull\nview\nplugins\tLists plugins/);
    expect(stdout).toContain('\nserve\t');
  });
});
