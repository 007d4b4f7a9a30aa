import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import type { CliCommand } from 'agent-harness/plugins/commands';
import { recordOutput, startCommands, type RecordedOutput } from './kernel-with-commands.ts';

const serve: CliCommand = {
  name: 'serve',
  summary: 'Starts the server.',
  options: { port: { type: 'string', short: 'p', description: 'The port.' }, quick: { type: 'boolean', description: 'Hurries.' } },
  run: async ({ options }, output) => {
    output.out(`serving ${JSON.stringify(options)}\n`);
    return 0;
  },
};
const open: CliCommand = { ...serve, name: 'open', summary: 'Opens the page.' };
const chats: CliCommand = { name: 'chats', summary: 'Shows chats.', usage: '[list|show id]', run: async ({ positionals }) => positionals.length };
const say: CliCommand = {
  name: 'say',
  summary: 'Repeats.',
  usage: '"<text>"',
  options: { loud: { type: 'boolean', description: 'Repeats it loudly.' } },
  run: async ({ positionals, options }, output) => {
    output.out(JSON.stringify({ said: positionals, loud: options['loud'] === true }));
    return 0;
  },
};
const broken: CliCommand = {
  name: 'broken',
  summary: 'Fails.',
  run: () => Promise.reject(Object.assign(new Error('The disk is full.'), { code: 'DISK_ERR_FULL' })),
};

const missing: CliCommand = { name: 'missing', summary: 'Reads a file that does not exist.', run: () => readFile('none.txt').then(() => 0) };

async function run(...argv: string[]): Promise<{ code: number; output: RecordedOutput }> {
  const module: PluginModule<never> = {
    register: (registry) => [serve, open, chats, say, broken, missing].forEach((command) => registry.add('cli_command', command)),
  };
  const { kernel } = await startCommands({ client: module });
  const output = recordOutput();
  return { code: await kernel.resolve('commands').runCli(argv, output, new AbortController().signal), output };
}

describe('command line', () => {
  test('runs its command with positionals and returns the exit code', async () => {
    expect((await run('chats', 'show', 'chat_1')).code).toBe(2);
    expect((await run('chats')).code).toBe(0);
  });

  test('passes long and short options on', async () => {
    expect((await run('serve', '--port', '4000', '--quick')).output.stdout).toBe('serving {"port":"4000","quick":true}\n');
    expect((await run('serve', '-p4000')).output.stdout).toBe('serving {"port":"4000"}\n');
  });

  test('runs the default command without a command name, also with options only', async () => {
    expect((await run()).output.stdout).toBe('serving {}\n');
    expect((await run('--port=5000')).output.stdout).toBe('serving {"port":"5000"}\n');
  });

  test('with an unknown command exits 2 and suggests the closest name', async () => {
    const { code, output } = await run('chast');
    expect(code).toBe(2);
    expect(output.stderr).toBe("app: There is no command 'chast'. Did you mean 'chats'?\nRun 'app --help' for help.\n");
    expect(output.stdout).toBe('');
  });

  test.each([[['serve', '--prot', '1']], [['serve', '--port']], [['serve', '--quick=yes']], [['serve', 'now']]])(
    'with invalid usage %j exits 2 and refers to the help',
    async (argv) => {
      const { code, output } = await run(...argv);
      expect(code).toBe(2);
      expect(output.stderr).toContain("Run 'app serve --help'");
      expect(output.stdout).toBe('');
    },
  );

  test.each([
    [['serve', '--prot', '1'], "app: Unknown option '--prot'. Did you mean '--port'?\n"],
    [['serve', '--bogus'], "app: Unknown option '--bogus'.\n"],
    [['serve', '-x'], "app: Unknown option '-x'.\n"],
    [['say', '-list'], "app: Unknown option '-l'. Write '--' before text that begins with a dash.\n"],
    [['serve', '--port'], "app: The option '--port' needs a value.\n"],
    [['serve', '--port', '--quick'], "app: The option '--port' needs a value. Write '--port=--quick' if --quick is its value.\n"],
    [['serve', '--quick=yes'], "app: The option '--quick' takes no value.\n"],
    [['serve', '--constructor'], "app: Unknown option '--constructor'.\n"],
  ])('with invalid options %j names the option in one sentence', async (argv, stderr) => {
    const { code, output } = await run(...argv);
    expect(code).toBe(2);
    expect(output.stderr).toBe(`${stderr}Run 'app ${argv[0]} --help' for help.\n`);
  });

  test.each([
    [['- list item'], ['- list item']],
    [
      ['--- a/file b', '--loud'],
      ['--- a/file b', '--loud'],
    ],
    [
      ['-5', 'is cold'],
      ['-5', 'is cold'],
    ],
    [['--', '--loud'], ['--loud']],
    [
      ['-', 'x'],
      ['-', 'x'],
    ],
  ])('reads %j as text where no option is possible', async (words, said) => {
    const { code, output } = await run('say', ...words);
    expect(code).toBe(0);
    expect(JSON.parse(output.stdout)).toEqual({
      said: said.filter((word) => words[0] === '--' || word !== '--loud'),
      loud: words[0] !== '--' && words.includes('--loud'),
    });
  });

  test('reads a value with a leading dash where no option is possible', async () => {
    expect((await run('serve', '--port', '-3')).output.stdout).toBe('serving {"port":"-3"}\n');
    expect((await run('serve', '--port=- a b')).output.stdout).toBe('serving {"port":"- a b"}\n');
    expect((await run('serve', '-p- a b')).output.stdout).toBe('serving {"port":"- a b"}\n');
  });

  test('prints a failure as one sentence with the code and exits 1', async () => {
    const { code, output } = await run('broken');
    expect(code).toBe(1);
    expect(output.stderr).toBe('app: The disk is full. (DISK_ERR_FULL)\n');
  });

  test('reports a file failure by file name and reason, not by system call', async () => {
    expect((await run('missing')).output.stderr).toBe('app: none.txt: it does not exist.\n');
  });
});

describe('help', () => {
  test('lists the commands in columns', async () => {
    const { code, output } = await run('--help');
    expect(code).toBe(0);
    expect(output.stdout).toContain('Test Program 1.2.3\n\nUsage: app [command] [options]\n');
    expect(output.stdout).toContain(
      '  broken                Fails.\n  chats [list|show id]  Shows chats.\n  missing               Reads a file that does not exist.\n  open                  Opens the page.\n  say "<text>"          Repeats.\n  serve                 Starts the server.\n',
    );
  });

  test.each([[['serve', '--help']], [['serve', '-h']], [['help', 'serve']]])('%j explains a command and its options', async (argv) => {
    const { code, output } = await run(...argv);
    expect(code).toBe(0);
    expect(output.stdout).toContain('Usage: app serve [options]\n\nStarts the server.\n');
    expect(output.stdout).toContain('  -p, --port <port>  The port.\n      --quick        Hurries.\n  -h, --help         Shows this help.\n');
  });

  test('exits 2 for an unknown command', async () => {
    expect((await run('help', 'nothing')).code).toBe(2);
    expect((await run('help')).output.stdout).toContain('Commands:');
  });

  test('prints only the version for --version', async () => {
    expect((await run('--version')).output.stdout).toBe('1.2.3\n');
    expect((await run('-v')).output.stdout).toBe('1.2.3\n');
  });
});

test('a duplicate command fails the later plugin and names both', async () => {
  const module: PluginModule<never> = { register: (registry) => void registry.add('cli_command', serve) };
  const { report } = await startCommands({ one: module, two: module });
  expect(report.plugins.find((plugin) => plugin.name === 'two')?.reason).toContain("'serve' is contributed by both 'one' and 'two'");
});
