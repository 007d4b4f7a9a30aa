import { afterEach, describe, expect, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import { startCommands, type CommandsKernel } from './kernel-with-commands.ts';

const plugin = (...commands: SlashCommand[]): PluginModule<never> => ({
  register: (registry) => commands.forEach((command) => registry.add('slash_command', command)),
});
const echo: SlashCommand = {
  name: 'echo',
  summary: 'Says it back.',
  usage: '<text>',
  run: ({ args, chatId, workspaceRoot }) => `${chatId} ${workspaceRoot} ${args}`,
};

let started: CommandsKernel | undefined;
const start = async (modules = {}): Promise<CommandsKernel> => (started = await startCommands(modules));
afterEach(async () => {
  expect(await started?.kernel.close()).toEqual([]);
  started = undefined;
});

describe('a message', () => {
  test('that begins with a known command is answered by it, with what follows as arguments', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/echo  two words \n')).toBe('chat_1 /work/one two words');
    expect(await intercept('/echo')).toBe('chat_1 /work/one ');
    expect(await intercept('/echo\nover\nlines')).toBe('chat_1 /work/one over\nlines');
  });

  test('that looks like a command nobody has is answered with the nearest names', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/ehco hello')).toBe(
      "There is no command '/ehco'. Did you mean '/echo'? '/help' lists all commands. Begin with '//' to say it to the model.",
    );
    expect(await intercept('/zzzzz')).not.toContain('Did you mean');
  });

  test.each(['/etc/hosts is what?', '//echo hello', 'say /echo', '/Echo hello', '/', '/ echo', '/echo: hello'])(
    'goes to the model when it is %j',
    async (text) => {
      const { intercept } = await start({ talk: plugin(echo) });
      expect(await intercept(text)).toBeUndefined();
    },
  );

  test('of a sub-agent goes to the model', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/echo hello', { isRoot: false })).toBeUndefined();
  });

  test('is answered with the message of the error when the command throws', async () => {
    const failing: SlashCommand = { name: 'undo', summary: 'Fails.', run: () => Promise.reject(new Error('There is nothing to undo.')) };
    const { intercept } = await start({ files: plugin(failing) });
    expect(await intercept('/undo')).toBe('/undo: There is nothing to undo.');
  });
});

describe('/help', () => {
  test('lists every command with usage and summary, sorted', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/help')).toBe('- /echo <text>: Says it back.\n- /help [command]: Lists the commands, or explains one.');
  });

  test('explains one command, and says so when there is none of that name', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/help /echo')).toBe('/echo <text>: Says it back.');
    expect(await intercept('/help ecko')).toMatch(/^There is no command '\/ecko'\. Did you mean '\/echo'\?\n\n- /);
  });
});

describe('contributing', () => {
  test('the same command twice fails the later plugin with a sentence that names both owners', async () => {
    const { report, intercept } = await start({ first: plugin(echo), second: plugin({ ...echo, run: () => 'other' }) });
    const second = report.plugins.find((one) => one.name === 'second');
    expect(second).toMatchObject({ state: 'failed', reason: expect.stringContaining("'/echo' is contributed by both 'first' and 'second'") });
    expect(await intercept('/echo')).toContain('chat_1');
  });

  test.each(['Echo', 'two words', '/echo', '', 'é'])('a command named %j is refused', async (name) => {
    const { report } = await start({ talk: plugin({ ...echo, name }) });
    expect(report.plugins.find((one) => one.name === 'talk')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('is not a valid name for a slash command'),
    });
  });

  test('ends when its plugin is switched off', async () => {
    const { kernel, intercept } = await start({ talk: plugin(echo) });
    await kernel.control.setDisabled(['talk']);
    expect(kernel.resolve('commands').slash()).toEqual([expect.objectContaining({ name: 'help' })]);
    expect(await intercept('/echo')).toContain('no command');
  });
});

describe('over HTTP', () => {
  test('a menu lists the commands in frequent use first, then the others by name', async () => {
    const others = ['compact', 'zebra', 'undo', 'model', 'apple'].map((name) => [name, plugin({ ...echo, name })] as const);
    const { kernel } = await start(Object.fromEntries(others));
    expect(
      kernel
        .resolve('commands')
        .slash()
        .map(({ name }) => name),
    ).toEqual(['undo', 'model', 'compact', 'help', 'apple', 'zebra']);
  });

  test('a command runs in the chat that is named, or in the active one', async () => {
    const { routes } = await start({ talk: plugin(echo) });
    const run = (body: object): unknown => routes.get('POST /api/commands')?.handle({ body } as never);
    expect(await run({ name: 'echo', args: ' hi ', chatId: 'chat_9' })).toEqual({ text: 'chat_9 /work/chat_9 hi' });
    expect(await run({ name: 'echo' })).toEqual({ text: 'chat_active /work/chat_active ' });
  });

  test('an unknown command is a 404 with the nearest names', async () => {
    const { routes } = await start({ talk: plugin(echo) });
    const reply = routes.get('POST /api/commands')?.handle({ body: { name: 'ech' } } as never);
    await expect(reply).rejects.toMatchObject({ code: 'COMMANDS_ERR_UNKNOWN', status: 404, message: expect.stringContaining("'/echo'") });
  });
});

test('a command without a function fails its plugin, with what it needs', async () => {
  const { kernel } = await start({ idle: plugin({ name: 'idle', summary: 'Does nothing.' } as never) });
  expect(kernel.control.report().plugins.find(({ name }) => name === 'idle')).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('needs a function run'),
  });
});
